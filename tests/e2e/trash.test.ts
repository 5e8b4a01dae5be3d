import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Trash } from '#shared/contract/trash.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let projects = 0
let name: string
let project: string
beforeAll(async () => {
  ada = await signUp(server.url)
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
/** Before each test, creates a project with two documents and opens the list of projects. */
beforeEach(async () => {
  name = `Naps ${++projects}`
  const { data } = await ada.json<{ data: Project }>(api.projects(), { body: { name } })
  project = data.id
  for (const title of ['First', 'Second'])
    await ada.upload(project, new File([onePagePdf([title])], `${title}.pdf`, { type: 'application/pdf' }))
  await page.goto('/projects')
})
afterAll(() => closeContexts(browser))

const button = (name: string) => page.getByRole('button', { name, exact: true })
const notices = () => page.getByRole('region', { name: 'Notifications' })
const notice = (words: string) => notices().filter({ hasText: words }).waitFor()
const confirmWith = (name: string) => page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click()

describe('deleted items', () => {
  it('A deleted project returns by Undo with all its documents', async () => {
    const card = page.getByRole('article', { name, exact: true })
    await card.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('tab', { name: 'Delete all documents' }).click()
    await button('Delete 2 documents').click()
    await confirmWith('Delete project')
    // A notice stays while the pointer is over it.
    await notices().getByText('Project deleted').hover()
    await expect.poll(() => card.count()).toBe(0)
    await notices().getByRole('button', { name: 'Undo' }).click()
    await notice(`“${name}” with 2 documents.`)
    await card.getByText('2 documents').waitFor()
    expect((await ada.json<{ count: number }>(api.documents({ project_id: project }))).count).toBe(2)
  })

  it('A deleted document is listed with its day, is restored there, and is removed permanently after a confirmation', async () => {
    const { data: rows } = await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project }))
    await page.getByRole('link', { name: 'Recently deleted' }).click()
    await page.getByText('No deleted items.').waitFor()
    // The live events update the page.
    for (const { id } of rows) await ada.json(api.document(id), { method: 'DELETE' })
    await page
      .getByText(/in “Naps \d” · deleted on .+ · deleted permanently on .+, in 30 days/)
      .first()
      .waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Restore First.pdf').click()
    await notice('Document restored')
    await expect.poll(() => button('Restore First.pdf').count()).toBe(0)
    await button('Delete Second.pdf permanently').click()
    await confirmWith('Delete permanently')
    await notice('Deleted permanently')
    await page.getByText('No deleted items.').waitFor()
    expect((await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project }))).data.length).toBe(1)
  })

  it('A document that is deleted while the question is open is not removed with the others', async () => {
    const { data: rows } = await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project }))
    await ada.json(api.trash(), { method: 'DELETE' })
    await ada.json(api.document(rows[0]!.id), { method: 'DELETE' })
    await page.goto('/projects/deleted')
    await button('Delete everything permanently').click()
    await page.getByText('All 1 and their files. This cannot be undone.').waitFor()
    await ada.json(api.document(rows[1]!.id), { method: 'DELETE' })
    await confirmWith('Delete everything permanently')
    await notice('Deleted permanently')
    const { data } = await ada.json<{ data: Trash }>(api.trash())
    expect(data.documents.map(({ id }) => id)).toEqual([rows[1]!.id])
    await ada.json(api.trash(), { method: 'DELETE' })
  })

  it('Restore of a joined paper undoes its join', async () => {
    const add = async (title: string) =>
      (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title } })).data.document.id
    const kept = await add('Naps and memory')
    await ada.json(api.duplicatesJoin(), { body: { keep_id: kept, join_ids: [await add('Naps and memories')] } })
    await page.goto('/projects/deleted')
    await page.getByText(`in “${name}”, joined with “Naps and memory”`).waitFor()
    await button('Restore Naps and memories').click()
    await notice('The two papers are no longer joined.')
    await expect.poll(() => button('Restore Naps and memories').count()).toBe(0)
    expect((await ada.json<{ count: number }>(api.documents({ project_id: project }))).count).toBe(4)
    expect(await ada.json(api.documentJoinedPapers(kept))).toMatchObject({ count: 0 })
  })
})
