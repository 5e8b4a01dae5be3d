import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import { unambiguousAddress } from '#shared/contract/project-address.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let context: BrowserContext
let page: Page
let ada: Client
let project: string
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))
beforeEach(async () => {
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  ;({ page, context } = await signedInPage(browser, ada))
})
afterEach(() => context.close())

const rename = (id: string, name: string) => ada.json(api.project(id), { method: 'PATCH', body: { name } })

describe('a project that is renamed elsewhere', () => {
  it('A project that is renamed elsewhere stays open, and all parts of the address follow', async () => {
    await page.goto(`${pages.documents('Naps')}?sort=title.asc`)
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    await rename(project, 'Naps & more')
    await page.waitForURL(`**${pages.documents('Naps & more')}?sort=title.asc`)
    expect(await page.getByRole('heading', { name: 'Documents', level: 1 }).count()).toBe(1)
    expect(await page.getByText('Project not found').count()).toBe(0)
  })

  it('A project that is renamed elsewhere keeps the unsaved changes of a document without a question', async () => {
    const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
    const { id } = await ada.upload(project, new File([bytes], 'paper.pdf', { type: 'application/pdf' }))
    await page.goto(pages.documentEdit('Naps', id))
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    await title.fill('Typed before')
    await rename(project, 'Rest')
    await page.waitForURL(`**${pages.documentEdit('Rest', id)}`)
    expect(await title.inputValue()).toBe('Typed before')
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.waitForURL(`**${pages.document('Rest', id)}`)
  })

  it('A renamed project leaves its old name free for another project', async () => {
    const other = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Walks' } })).data.id
    await page.goto(pages.documents('Naps'))
    await page.getByRole('heading', { name: 'Documents', level: 1 }).waitFor()
    await rename(project, 'Rest')
    await rename(other, 'Naps')
    await page.waitForURL(`**${pages.documents('Rest')}`)
    await page.goto('/projects')
    await page.getByRole('link', { name: 'Naps', exact: true }).first().click()
    await page.waitForURL(`**${pages.overview('Naps')}`)
    await page.getByRole('heading', { name: 'Naps', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(pages.overview('Naps'))
  })

  it('A notice of the server is shown on every page until the user dismisses it', async () => {
    await inDatabase(server, `insert into notices (user_id, kind, data) values ($1, 'project_renamed', $2)`, [
      ada.userId,
      { project_id: project, from: 'Help', to: 'Naps' },
    ])
    await page.goto(pages.projects())
    const notices = page.getByRole('region', { name: 'Notices' })
    await notices.getByText('Your project “Help” is now “Naps”').waitFor()
    await notices.getByRole('button', { name: 'Dismiss' }).click()
    await notices.waitFor({ state: 'detached' })
    await page.goto(pages.settings())
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(await notices.count()).toBe(0)
  })

  it('Two shared projects with the same name open at different addresses, and links in e-mails open each project', async () => {
    const owners = [await signUp(server.url), await signUp(server.url)]
    const ids: string[] = []
    for (const owner of owners) {
      const body = { name: 'Walks', description: `Of ${owner.email}` }
      const { id } = (await owner.json<{ data: { id: string } }>(api.projects(), { body })).data
      const insert = `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`
      await inDatabase(server, insert, [id, ada.userId])
      ids.push(id)
    }
    for (const [at, id] of ids.entries()) {
      await page.goto(pages.overview(unambiguousAddress({ id, name: 'Walks' })))
      await page.getByText(`Of ${owners[at]!.email}`).first().waitFor()
      await page.getByRole('link', { name: 'Documents', exact: true }).first().click()
      await page.waitForURL(`**${pages.documents(`Walks~${id.slice(0, 4)}`)}`)
    }
    // The user's own project opens at its name.
    await page.goto(pages.overview(unambiguousAddress({ id: project, name: 'Naps' })))
    await page.waitForURL(`**${pages.overview('Naps')}`)
    await page.getByRole('heading', { name: 'Naps', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(pages.overview('Naps'))
  })
})
