import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, pages } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  closeContexts,
  endSessionAt,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client
let ben: Client
let id: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  const insert = `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`
  await inDatabase(server, insert, [project.id, ben.userId])
  const add = async (title: string) => {
    const body = { project_id: project.id, title, authors: ['Ines Marlowe'] }
    return (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
  }
  id = await add('Naps and recall')
  await add('Dreams')
})
afterAll(() => closeContexts(browser))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const isFocused = async (locator: Locator) => {
  await expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true)
}
const read = async () => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data

it('The form of a reference saves the type, names, a month as date and the citation key, and viewers read them (FMT-09, FND-04, FND-05, FND-06, FND-07, SHR-30)', async () => {
  const { page } = await signedInPage(browser, ada)
  await page.goto(pages.document('Naps', id))
  await page.getByRole('link', { name: 'Reference', exact: true }).click()
  await page.getByRole('heading', { name: 'Reference', level: 1 }).waitFor()

  // The type determines the fields and their labels.
  await field(page, 'Issue').waitFor()
  await page.getByRole('combobox', { name: 'Type of reference' }).click()
  await page.getByRole('option', { name: 'Chapter of a book' }).click()
  await field(page, 'Title of the book').fill('Handbook of sleep')
  await field(page, 'Pages').fill('10-20')
  expect(await field(page, 'Issue').count()).toBe(0)

  // A new name is moved up with the keyboard. A name in one piece is split.
  const authors = page.getByRole('group', { name: 'Authors' })
  await button(page, 'Add author').click()
  const added = authors.getByRole('group', { name: /^2\./ })
  await added.getByLabel('Family name').fill('van Beethoven')
  await added.getByLabel('Given names').fill('Ludwig')
  await added.getByLabel('Given names').press('Alt+ArrowUp')
  await authors.getByRole('group', { name: '1. Ludwig van Beethoven' }).waitFor()
  for (const [row, name] of [
    [/^3\./, 'Sleep Group'],
    [/^4\./, 'Okafor, Tobi'],
  ] as const) {
    await authors.getByRole('button', { name: 'Add organization' }).click()
    await authors.getByRole('group', { name: row }).getByLabel('Name of the organization or person').fill(name)
  }
  await authors.getByRole('button', { name: 'Split into family and given names' }).last().click()
  await authors.getByRole('group', { name: '4. Tobi Okafor' }).waitFor()
  await button(page, 'Remove Sleep Group').click()

  // A pasted list is split into names.
  await authors.getByRole('button', { name: 'Paste a list of names' }).click()
  await field(page, 'List of names').fill('Ada Lovelace; Mary Somerville')
  await button(page, 'Add 2 names').click()
  await button(page, 'Remove Mary Somerville').click()
  await button(page, 'Remove Ada Lovelace').click()
  await page.getByRole('complementary').getByText('Handbook of sleep').waitFor()

  // A day that does not exist is refused and focused; a month is a date.
  await field(page, 'Published: year').fill('2024')
  await page.getByRole('combobox', { name: 'Published: month' }).click()
  await page.getByRole('option', { name: 'February' }).click()
  await field(page, 'Published: day').fill('30')
  await button(page, 'Save').click()
  await page.getByText('This day does not exist.').waitFor()
  await isFocused(field(page, 'Published: year'))
  await field(page, 'Published: day').fill('')

  await button(page, 'Note').click()
  await isFocused(field(page, 'Note'))
  await page.keyboard.type('Read twice.')
  await field(page, 'Citation key').fill('marlowedreams')
  expect(await accessibilityProblems(page)).toEqual([])
  await button(page, 'Save').click()
  await page.getByText('Another paper has this key. Try marlowedreamsa.').waitFor()
  await field(page, 'Citation key').fill('own')

  // The session ends: the edits are restored after the sign-in.
  const isSave = (request: Request) => request.method() === 'PATCH'
  await endSessionAt(page, isSave, () => button(page, 'Save').click())
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password').fill(ada.password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByText('They are restored in the form.').waitFor()
  // Another session of the user changes one of the fields.
  await ada.json(api.document(id), { method: 'PATCH', body: { reference: { page: '1-2', volume: '7' } } })
  await button(page, 'Save').click()
  const dialog = page.getByRole('dialog', { name: 'Changed in the meantime' })
  await dialog.getByRole('radio', { name: 'Keep mine: 10-20', checked: true }).waitFor()
  await dialog.getByRole('radio', { name: 'Take theirs: 1-2' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()

  await page.waitForURL(`**${pages.document('Naps', id)}`)
  await page.reload()
  await page.getByText('February 2024').waitFor()
  await page.getByText('Ludwig van Beethoven, Ines Marlowe, Tobi Okafor').waitFor()
  const { reference, edited_fields } = await read()
  expect(reference).toMatchObject({
    type: 'chapter',
    'container-title': 'Handbook of sleep',
    page: '1-2',
    volume: '7',
    author: [
      { family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van' },
      { family: 'Marlowe', given: 'Ines' },
      { family: 'Okafor', given: 'Tobi' },
    ],
    issued: { 'date-parts': [[2024, 2]] },
    note: 'Read twice.',
    'citation-key': 'own',
  })
  expect(edited_fields).toEqual(expect.arrayContaining(['type', 'authors', 'publication_date', 'citation-key', 'note']))

  const { page: other } = await signedInPage(browser, ben)
  await other.goto(pages.documentReference('Naps', id))
  await other.getByRole('definition').getByText('Handbook of sleep').waitFor()
  await other.getByRole('complementary').getByRole('heading', { name: 'Records' }).waitFor()
  expect(await other.getByRole('complementary').getByRole('link').getAttribute('href')).toMatch(/^\/Naps\/imports\//)
  await other.getByRole('main').getByText('February 2024').waitFor()
  expect(await other.getByRole('main').getByRole('button').count()).toBe(0)
  expect(await other.getByRole('main').getByRole('textbox').count()).toBe(0)
  expect(await accessibilityProblems(other)).toEqual([])
})
