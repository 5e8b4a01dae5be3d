import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client
let ben: Client
let project: string
let id: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  project = await sharedProject('Naps')
  id = (await ada.upload(project, new File([onePagePdf(['Naps help.'])], 'a.pdf'))).id
  await ada.json(api.document(id), { method: 'PATCH', body: { title: 'Naps', evidence_level: 'Level 1' } })
})
afterAll(() => closeContexts(browser))

async function sharedProject(name: string): Promise<string> {
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })
  const sql = `insert into project_members (project_id, user_id, role) values ($1, $2, 'owner')`
  await inDatabase(server, sql, [data.id, ben.userId])
  return data.id
}
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Changed in the meantime' })
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click()
const read = async () => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
/** Opens an address as each of the two members. Returns the page of Ada and the page of Ben. */
const openBoth = async (path: string) => {
  const opened = await Promise.all([ada, ben].map((who) => signedInPage(browser, who)))
  await Promise.all(opened.map(({ page }) => page.goto(path)))
  return opened.map(({ page }) => page) as [Page, Page]
}

describe('two members who edit the same row (SHR-30)', () => {
  it('The edit form of a document asks which value of a field to save, and takes other fields of the other member (SHR-30)', async () => {
    const [one, other] = await openBoth(pages.documentEdit('Naps', id))
    await field(one, 'Title').fill('Naps, by Ada')
    await field(one, 'Evidence level').fill('Level 2, by Ada')
    await one.getByRole('combobox', { name: 'Journal' }).fill('Journal of Ada')
    await field(other, 'Title').fill('Naps, by Ben')
    await field(other, 'Evidence level').fill('Level 3, by Ben')
    await save(one)
    await one.waitForURL(`**${pages.document('Naps', id)}`)
    // The values of the other member arrive in fields without edits, and the edits stay unsaved.
    await expect.poll(() => other.getByRole('combobox', { name: 'Journal' }).inputValue()).toBe('Journal of Ada')
    await save(other)
    await dialog(other).waitFor()
    expect(await dialog(other).getByRole('radiogroup').count()).toBe(2)
    expect(await accessibilityProblems(other)).toEqual([])
    // Uses the keyboard: selects the title of the other member and the own evidence level.
    await dialog(other).getByRole('radio', { name: 'Keep mine: Naps, by Ben' }).focus()
    await other.keyboard.down('ArrowRight')
    await expect
      .poll(() => dialog(other).getByRole('radio', { name: 'Take theirs: Naps, by Ada' }).isChecked())
      .toBe(true)
    await other.keyboard.up('ArrowRight')
    await dialog(other).getByRole('button', { name: 'Save' }).press('Enter')
    await other.waitForURL(`**${pages.document('Naps', id)}`)
    expect(await read()).toMatchObject({
      title: 'Naps, by Ada',
      evidence_level: 'Level 3, by Ben',
      journal_name: 'Journal of Ada',
    })
  })

  it('Cancel in the dialog keeps the form open with the values of the user', async () => {
    const [one, other] = await openBoth(pages.documentEdit('Naps', id))
    await field(one, 'Summary').fill('By Ada.')
    await field(other, 'Summary').fill('By Ben.')
    await save(one)
    await one.waitForURL(`**${pages.document('Naps', id)}`)
    await save(other)
    await dialog(other).waitFor()
    await other.keyboard.press('Escape')
    await dialog(other).waitFor({ state: 'hidden' })
    expect([await field(other, 'Summary').inputValue(), (await read()).summary]).toEqual(['By Ben.', 'By Ada.'])
  })

  it('The forms of a document restore unsaved changes after another member changed the role of the user or moved the document', async () => {
    const { page } = await signedInPage(browser, ben)
    const setRole = (role: string) =>
      ada.json(api.projectMember(project, ben.userId), { method: 'PATCH', body: { role } })
    const move = (project_id: string) => ada.json(api.document(id), { method: 'PATCH', body: { project_id } })
    const restored = page.getByText('They are restored in the form.')
    const drafts = () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('lectern.draft')))
    await page.goto(pages.documentEdit('Naps', id))
    await field(page, 'Title').fill('Naps, typed by Ben')
    await setRole('viewer')
    await page.getByRole('heading', { name: 'You may read this project but not change it.' }).waitFor()
    await setRole('owner')
    await restored.waitFor()
    expect(await field(page, 'Title').inputValue()).toBe('Naps, typed by Ben')

    await move(await sharedProject('Other naps'))
    await page.getByRole('heading', { name: 'Document not found' }).waitFor()
    await move(project)
    await page.goto(pages.documentEdit('Naps', id))
    await restored.waitFor()
    expect(await field(page, 'Title').inputValue()).toBe('Naps, typed by Ben')

    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL(`**${pages.document('Naps', id)}`)
    await expect.poll(drafts).toEqual([])

    // The form of the reference does the same.
    await page.goto(pages.documentReference('Naps', id))
    await field(page, 'Volume').fill('17')
    await setRole('viewer')
    await field(page, 'Volume').waitFor({ state: 'detached' })
    await setRole('owner')
    await restored.waitFor()
    expect(await field(page, 'Volume').inputValue()).toBe('17')
    await page.getByRole('link', { name: '← Back to the paper' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
    await page.waitForURL(`**${pages.document('Naps', id)}`)
    await expect.poll(drafts).toEqual([])
  })

  it('A project dialog whose dialog about budgets was cancelled compares with the saved project (SHR-30)', async () => {
    const [one, other] = await openBoth(pages.overview('Naps'))
    for (const page of [one, other]) await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const budget = (page: Page) => page.getByRole('group', { name: 'Budget' }).getByLabel('Each owner')
    await budget(one).fill('5')
    await field(other, 'Research question').fill('A question that is taken back')
    await budget(other).fill('6')
    await save(one)
    await one.getByRole('dialog').waitFor({ state: 'detached' })
    await ada.json(api.project(project), { method: 'PATCH', body: { description: 'By Ada, meanwhile.' } })
    await save(other)
    await dialog(other).getByRole('radio', { name: 'Take theirs: $5' }).waitFor()
    await other.keyboard.press('Escape')
    await dialog(other).waitFor({ state: 'hidden' })
    await field(other, 'Research question').fill('')
    await save(other)
    await dialog(other).getByRole('radio', { name: 'Take theirs: $5' }).click()
    await dialog(other).getByRole('button', { name: 'Save' }).click()
    await other.getByText('Project updated').waitFor()
    const { data } = await ada.json<{ data: object }>(api.project(project))
    expect(data).toMatchObject({ research_question: null, description: 'By Ada, meanwhile.' })
  })

  it('The removal of an image asks before it removes the image that another member chose meanwhile (SHR-30)', async () => {
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#7a3b2e' } })
      .png()
      .toBuffer()
    const choose = async () => {
      const form = new FormData()
      form.append('file', new File([Uint8Array.from(picture)], 'photo.png', { type: 'image/png' }))
      const answer = await ada.fetch(api.projectHeroImage(project), { method: 'POST', body: form })
      return ((await answer.json()) as { data: Project }).data.hero_image
    }
    await choose()
    const { page } = await signedInPage(browser, ben)
    await page.goto(pages.overview('Naps'))
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Remove image' }).click()
    const chosen = await choose()
    await save(page)
    await dialog(page).getByRole('radio', { name: 'Keep mine: No image', checked: true }).waitFor()
    await dialog(page).getByRole('radio', { name: 'Take theirs: An image' }).click()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project updated').waitFor()
    expect((await ada.json<{ data: Project }>(api.project(project))).data.hero_image).toBe(chosen)
  })

  it('A chosen image asks before it replaces the image that another member chose meanwhile (SHR-30)', async () => {
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#2e5a7a' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(picture)], 'photo.png', { type: 'image/png' }))
    const stored = async () => (await ada.json<{ data: Project }>(api.project(project))).data
    const { page } = await signedInPage(browser, ben)
    await page.goto(pages.overview('Naps'))
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(page, 'Research question').fill('Do images help Ben?')
    await page.getByLabel('Hero image').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('button', { name: 'Replace image' }).waitFor()
    const response = await ada.fetch(api.projectHeroImage(project), { method: 'POST', body: form })
    const { hero_image } = ((await response.json()) as { data: Project }).data
    await ada.json(api.project(project), { method: 'PATCH', body: { research_question: 'Do images help Ada?' } })
    await save(page)
    // First the conflict of the text, then that of the image.
    await dialog(page).getByRole('radio', { name: 'Keep mine: Do images help Ben?' }).click()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByRole('radio', { name: 'Keep mine: The chosen image', checked: true }).waitFor()
    expect(await stored()).toMatchObject({ hero_image, research_question: 'Do images help Ben?' })
    await dialog(page).getByRole('radio', { name: 'Take theirs: An image' }).click()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Project updated').waitFor()
    expect((await stored()).hero_image).toBe(hero_image)
  })

  it('A conflict in the settings of a project, or in its budgets, shows both values and stores the chosen one (SHR-30)', async () => {
    const [one, other] = await openBoth(pages.overview('Naps'))
    for (const page of [one, other]) await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(one, 'Research question').fill('Do naps help Ada?')
    await field(one, 'Description').fill('By Ada.')
    await one.getByRole('group', { name: 'Budget' }).getByLabel('Each editor').fill('20')
    expect(await accessibilityProblems(one)).toEqual([])
    await field(other, 'Research question').fill('Do naps help Ben?')
    await other.getByRole('group', { name: 'Budget' }).getByLabel('Each editor').fill('30')
    await save(one)
    await one.getByRole('dialog').waitFor({ state: 'detached' })
    await save(other)
    await dialog(other).getByRole('radio', { name: 'Take theirs: Do naps help Ada?' }).click()
    await dialog(other).getByRole('button', { name: 'Save' }).click()
    await dialog(other).getByRole('radio', { name: 'Take theirs: $20' }).waitFor()
    await dialog(other).getByRole('radio', { name: 'Keep mine: $30' }).click()
    await dialog(other).getByRole('button', { name: 'Save' }).click()
    await other.getByText('Project updated').waitFor()
    const { data } = await ada.json<{ data: object }>(api.project(project))
    const budget = await ada.json<{ data: object }>(api.projectBudget(project))
    expect(budget.data).toMatchObject({ dollars: null, roles: { editor: 30, reviewer: null } })
    expect(data).toMatchObject({ research_question: 'Do naps help Ada?', description: 'By Ada.' })
  })
})
