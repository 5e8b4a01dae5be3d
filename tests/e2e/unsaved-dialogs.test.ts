import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectBudget } from '#shared/contract/project-budgets.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let naps: string
let walks: string
beforeAll(async () => {
  ada = await signUp(server.url)
  const create = async (name: string) => (await ada.json<{ data: Project }>(api.projects(), { body: { name } })).data.id
  naps = await create('Naps')
  walks = await create('Walks')
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(() => closeContexts(browser))

const dialog = () => page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const question = () => page.getByRole('alertdialog', { name: 'Discard changes?' })
const keepEditing = async () => {
  await question().getByRole('button', { name: 'Keep editing' }).click()
  await question().waitFor({ state: 'detached' })
}
const discard = () => question().getByRole('button', { name: 'Discard changes' }).click()
/** Opens the dialog that edits the project of the open overview. */
const edit = async () => {
  await button('Edit').click()
  await dialog().getByLabel('Research question').waitFor()
}
const read = async (id: string) => (await ada.json<{ data: Project }>(api.project(id))).data
const importBy = async (way: string) => {
  await page.goto(pages.documents('Naps'))
  await button('Import references').first().click()
  await page.getByRole('menuitem', { name: way }).click()
}

describe('the dialog of a project that was opened after another project', () => {
  /** Opens the overview of one project after that of another, and the dialog that edits it. */
  beforeEach(async () => {
    await page.goto(pages.overview('Naps'))
    await button('Naps').click()
    await page.getByRole('menuitem', { name: 'Walks' }).click()
    await page.getByRole('heading', { name: 'Walks', level: 1 }).waitFor()
    await edit()
  })

  it('An open dialog closes when Back shows another project', async () => {
    await page.goBack()
    await page.getByRole('heading', { name: 'Naps', level: 1 }).waitFor()
    expect(await dialog().count()).toBe(0)
  })

  it('Typed text is discarded by Back, Escape, Cancel or the command palette only after a question', async () => {
    const field = dialog().getByLabel('Research question')
    await field.fill('Do walks help?')
    const steps = [
      () => page.goBack(),
      () => field.press('Escape'),
      () => button('Cancel').click(),
      async () => {
        await page.keyboard.press('Control+k')
        await page.getByPlaceholder('Search documents, projects, pages and actions').fill('Naps')
        await page.keyboard.press('Enter')
      },
    ]
    for (const step of steps) {
      await step()
      await keepEditing()
      expect(await field.inputValue()).toBe('Do walks help?')
    }
    await page.goBack()
    await discard()
    await page.getByRole('heading', { name: 'Naps', level: 1 }).waitFor()
    expect(await dialog().count()).toBe(0)
    expect([(await read(naps)).research_question, (await read(walks)).research_question]).toEqual([null, null])
  })
})

describe('the dialog of a project', () => {
  it('A saved dialog and one without changes close without a question', async () => {
    await page.goto(pages.overview('Walks'))
    await edit()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await edit()
    await dialog().getByLabel('Description').fill('On foot.')
    await button('Save Changes').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await question().count()).toBe(0)
    expect((await read(walks)).description).toBe('On foot.')
  })

  it('A mistyped budget has a message and cannot be saved', async () => {
    await ada.json(api.projectBudget(walks), {
      method: 'PUT',
      body: { dollars: 40, roles: { reviewer: null, editor: null, resolver: null, owner: null } },
    })
    await page.goto(pages.overview('Walks'))
    await edit()
    const budget = dialog().getByRole('group', { name: 'Budget' }).getByLabel('Project', { exact: true })
    await expect.poll(() => budget.inputValue()).toBe('40')
    await budget.clear()
    await budget.pressSequentially('5,50')
    await dialog().getByText('Enter an amount such as 5.50.').waitFor()
    expect(await button('Save Changes').isDisabled()).toBe(true)
    await budget.fill('5.50')
    await button('Save Changes').click()
    await dialog().waitFor({ state: 'detached' })
    expect((await ada.json<{ data: ProjectBudget }>(api.projectBudget(walks))).data.dollars).toBe(5.5)
  })
})

describe('the dialog that invites people', () => {
  it('Typed addresses and a typed message are discarded only after a question', async () => {
    await page.goto(pages.people('Naps'))
    await button('Invite people').click()
    await dialog().getByLabel('E-mail addresses').press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await question().count()).toBe(0)
    await button('Invite people').click()
    const address = dialog().getByLabel('E-mail addresses')
    await address.fill('ben@example.org')
    await address.press('Escape')
    await keepEditing()
    await address.blur()
    await button('Cancel').click()
    await keepEditing()
    await button('Remove ben@example.org').click()
    const message = dialog().getByLabel('Message')
    await message.fill('Join us.')
    await dialog().getByText('8 of').waitFor()
    await page.mouse.click(5, 5)
    await keepEditing()
    expect(await message.inputValue()).toBe('Join us.')
    await message.press('Escape')
    await discard()
    await dialog().waitFor({ state: 'detached' })
  })

  it('A dialog whose invitations were sent closes without a question', async () => {
    await page.goto(pages.people('Naps'))
    await button('Invite people').click()
    await dialog().getByLabel('E-mail addresses').fill('cem@example.org')
    await button('Create link').click()
    await dialog().getByText('It is not shown again.').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await question().count()).toBe(0)
  })
})

describe('the dialogs that import references', () => {
  it('Pasted identifiers are discarded only after a question', async () => {
    await importBy('From identifiers…')
    const field = dialog().getByRole('textbox')
    await field.fill('naps')
    await field.press('Escape')
    await keepEditing()
    expect(await field.inputValue()).toBe('naps')
    await button('Close').click()
    await discard()
    await dialog().waitFor({ state: 'detached' })
  })

  it('Escape closes the suggestions of a field before the dialog, and typed sources are discarded only after a question', async () => {
    await importBy('From a file…')
    const buffer = Buffer.from('@article{a, title = {Naps}, author = {Ada Lovelace}}')
    await page.getByLabel('Reference files').setInputFiles({ name: 'a.bib', mimeType: 'text/plain', buffer })
    const source = dialog().getByRole('combobox', { name: 'Source' }).first()
    await source.press('ArrowDown')
    await dialog().getByRole('option').first().waitFor()
    await source.press('Escape')
    await dialog().getByRole('option').first().waitFor({ state: 'hidden' })
    expect(await dialog().count()).toBe(1)
    await source.fill('Scopus')
    await source.press('Tab')
    await page.keyboard.press('Escape')
    await keepEditing()
    expect(await source.inputValue()).toBe('Scopus')
  })
})
