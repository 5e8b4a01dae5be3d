import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api, pages } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  closeContexts,
  endSessionAt,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let context: BrowserContext
let page: Page
let ada: Client
let bob: Client
let project: string
let id: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
})
afterAll(() => closeContexts(browser))
beforeEach(async () => {
  const bytes = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  id = (await ada.upload(project, new File([bytes], 'paper.pdf', { type: 'application/pdf' }))).id
  await ada.json(api.document(id), { method: 'PATCH', body: { title: 'Naps', summary: 'Naps help.' } })
  ;({ page, context } = await signedInPage(browser, ada))
  await page.goto(pages.documentEdit('Naps', id))
})
afterEach(() => context.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const read = async () => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const question = () => page.getByRole('alertdialog', { name: 'Discard changes?' })
const restored = () => page.getByText('They are restored in the form.')
const formIsThere = () => page.getByRole('heading', { name: 'Edit document' }).waitFor()
const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('lectern.draft')))

const signIn = async ({ email, password }: Client) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In', exact: true }).click()
}
const logOutElsewhere = async () => {
  const other = await context.newPage()
  await other.goto('/projects')
  await other.getByRole('button', { name: 'User menu' }).click()
  await other.getByRole('menuitem', { name: 'Log out' }).click()
  await other.waitForURL('**/auth')
  await other.close()
}

describe('unsaved changes of a document whose session ends', () => {
  it('Unsaved changes of a refused save are filled in after the sign-in, and can be saved', async () => {
    await field('Title').fill('Naps, revised')
    await page.getByRole('textbox', { name: 'Keywords' }).fill('siesta')
    await page.keyboard.press('Enter')
    const isSave = (request: Request) => request.method() === 'PATCH'
    await endSessionAt(page, isSave, () => button('Save Changes').click())
    expect(await question().count()).toBe(0)
    // A value that was saved in another browser and that the draft does not change stays.
    await ada.json(api.document(id), { method: 'PATCH', body: { title: 'Elsewhere', summary: 'Elsewhere.' } })
    await signIn(ada)
    await page.waitForURL(`**${pages.documentEdit('Naps', id)}`)
    await restored().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect([await field('Title').inputValue(), await field('Summary').inputValue()]).toEqual([
      'Naps, revised',
      'Elsewhere.',
    ])
    await button('Save Changes').click()
    const both = page.getByRole('dialog', { name: 'Changed in the meantime' })
    await both.getByRole('radio', { name: 'Keep mine: Naps, revised', checked: true }).waitFor()
    await both.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(`**${pages.document('Naps', id)}`)
    expect(await read()).toMatchObject({ title: 'Naps, revised', summary: 'Elsewhere.', keywords: ['siesta'] })
    expect(await drafts()).toEqual([])
  })

  it('Unsaved changes survive a sign-out in another tab without a question, and the same user returns to them', async () => {
    await field('Summary').fill('Naps help a lot.')
    await logOutElsewhere()
    await page.waitForURL('**/auth?back=*')
    await page.getByRole('tab', { name: 'Sign In' }).waitFor()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Sign in to continue where you were.').waitFor()
    expect(await question().count()).toBe(0)
    await signIn(ada)
    await restored().waitFor()
    expect(await field('Summary').inputValue()).toBe('Naps help a lot.')
    expect((await read()).summary).toBe('Naps help.')
  })

  it('Restored changes can be discarded, and do not return', async () => {
    await field('Title').fill('Naps, revised')
    await logOutElsewhere()
    await page.waitForURL('**/auth?back=*')
    await signIn(ada)
    await restored().waitFor()
    await button('Discard changes').click()
    await question().getByRole('button', { name: 'Discard changes' }).click()
    await restored().waitFor({ state: 'detached' })
    expect(await field('Title').inputValue()).toBe('Naps')
    expect(await drafts()).toEqual([])
    // There are no unsaved changes, so no confirmation is shown.
    await button('Cancel').click()
    await page.waitForURL(`**${pages.document('Naps', id)}`)
  })

  it('Unsaved changes are discarded when another user signs in', async () => {
    await field('Title').fill('Naps, revised')
    await logOutElsewhere()
    await page.waitForURL('**/auth?back=*')
    expect(await drafts()).toHaveLength(1)
    await signIn(bob)
    await page.getByRole('heading', { name: 'Project not found' }).waitFor()
    expect(await drafts()).toEqual([])
  })

  it('The sign-out in the same tab asks about unsaved changes first, and leaves nothing in the browser', async () => {
    const logOut = async () => {
      await page.getByRole('button', { name: 'User menu' }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await question().waitFor()
    }
    await field('Title').fill('Naps, revised')
    await logOut()
    await question().getByRole('button', { name: 'Keep editing' }).click()
    await question().waitFor({ state: 'hidden' })
    expect(await field('Title').inputValue()).toBe('Naps, revised')
    await logOut()
    await question().getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL('**/auth')
    expect(await drafts()).toEqual([])
  })
})

describe('the keys of the edit form', () => {
  it('Enter accepts a journal and saves nothing, and Ctrl+Enter saves', async () => {
    const journal = page.getByRole('combobox', { name: 'Journal' })
    await journal.fill('Dreams Quarterly')
    await journal.press('Enter')
    await page.getByText('A new journal with this name is added.').waitFor()
    expect(page.url()).toContain('/edit')
    expect((await read()).journal_name).toBeNull()
    await page.getByRole('textbox', { name: 'Keywords' }).fill('siesta')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**${pages.document('Naps', id)}`)
    expect(await read()).toMatchObject({ journal_name: 'Dreams Quarterly', keywords: ['siesta'] })
    await page.goto(pages.documentEdit('Naps', id))
    await formIsThere()
    await page.getByRole('combobox', { name: 'Journal' }).fill('dreams q')
    await page.getByRole('option', { name: 'Dreams Quarterly' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('combobox', { name: 'Journal' }).inputValue()).toBe('Dreams Quarterly')
    expect(page.url()).toContain('/edit')
    await field('Title').fill('Naps by key')
    await page.keyboard.press('Meta+Enter')
    await page.waitForURL(`**${pages.document('Naps', id)}`)
    expect((await read()).title).toBe('Naps by key')
  })
})
