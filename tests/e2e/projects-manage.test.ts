import sharp from 'sharp'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let photo: Buffer
beforeAll(async () => {
  ada = await signUp(server.url)
  photo = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#7a3b2e' } })
    .png()
    .toBuffer()
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
beforeEach(async () => {
  await page.unrouteAll()
  await page.goto('/projects')
})
afterAll(() => closeContexts(browser))

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true })
const card = (name: string) => page.getByRole('article', { name, exact: true })
const question = () => page.getByRole('alertdialog')
const projectNamed = async (name: string) => (await ada.json<{ data: Project[] }>(api.projects({ name }))).data[0]!
const filled = async (name: string, count: number) => {
  const { data } = await ada.json<{ data: Project }>(api.projects(), { body: { name } })
  for (let at = 0; at < count; at++) await ada.upload(data.id, new File([onePagePdf([name])], `${name} ${at}.pdf`))
  return data
}
const picture = () => page.getByLabel('Hero image')

describe('the hero image', () => {
  it('The form refuses a hero image of another type or above the limit when it is selected (PROJ-17, PROJ-18, PROJ-19)', async () => {
    await button('New Project').first().click()
    expect(await picture().getAttribute('accept')).toBe('.png,.jpg,.jpeg')
    await picture().setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
    await notice('Invalid file type')
    await notice('Please select an image file')
    const large = Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)])
    await picture().setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: large })
    await notice('File too large')
    await notice('Please select an image under 5MB')
    await picture().setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await notice('Invalid file type')
    expect(await button('Choose image').isVisible()).toBe(true)
  })

  it('A hero image is selected for a new project and shown on its card and overview (PROJ-02, PROJ-07)', async () => {
    await button('New Project').first().click()
    await page.getByLabel('Name').fill('Pictured')
    await picture().setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: photo })
    await button('Replace image').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Create Project').click()
    await notice('Your new project has been created successfully.')
    await page.waitForURL('**/Pictured/overview')
    const image = page.locator('main [data-slot=cover] img')
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
    await page.goto('/projects')
    const onCard = card('Pictured').locator('[data-slot=cover] img')
    await expect.poll(() => onCard.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
    expect(await onCard.getAttribute('srcset')).toMatch(/\.w480\.webp 480w, .+\.w960\.webp 960w, .+\.webp 1600w$/)
  })

  it('A hero image stays, is replaced and is removed by editing (PROJ-20)', async () => {
    const { id } = await filled('Edited', 0)
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(photo)], 'photo.png', { type: 'image/png' }))
    expect((await ada.fetch(api.projectHeroImage(id), { method: 'POST', body: form })).status).toBe(200)
    await page.reload()
    const before = (await projectNamed('Edited')).hero_image!
    await button('Edit', card('Edited')).click()
    await page.getByLabel('Research question').fill('Kept?')
    await button('Save Changes').click()
    await notice('Project updated')
    await card('Edited').getByText('Kept?').waitFor()
    expect((await projectNamed('Edited')).hero_image).toBe(before)

    await button('Edit', card('Edited')).click()
    await picture().setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: photo })
    await button('Keep the current image').waitFor()
    await button('Save Changes').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const after = (await projectNamed('Edited')).hero_image!
    expect(after).not.toBe(before)
    expect((await fetch(server.url + before)).status).toBe(404)

    await button('Edit', card('Edited')).click()
    await button('Remove image').click()
    await button('Save Changes').click()
    await card('Edited').locator('[data-slot=cover] svg').waitFor()
    expect((await projectNamed('Edited')).hero_image).toBeNull()
  })
})

describe('deleting a project that has documents', () => {
  it('The dialog moves the documents to another project before the deletion, and has two tabs (PROJ-21, PROJ-22, PROJ-24, MSG-53)', async () => {
    await filled('Target', 0)
    await filled('Old', 2)
    await page.reload()
    await card('Old').getByText('2 documents').waitFor()
    await button('Delete', card('Old')).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    await dialog.waitFor()
    expect(await dialog.getByRole('tab').allInnerTexts()).toEqual(['Reassign documents', 'Delete all documents'])
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'Target' }).click()
    await button('Reassign 2 documents', dialog).click()
    await notice('Successfully reassigned 2 documents')
    await button('Delete project', question()).click()
    await notice('Project deleted')
    await card('Old').waitFor({ state: 'detached' })
    await card('Target').getByText('2 documents').waitFor()
  })

  it('The dialog can leave the documents without a project, and the list of projects shows them (PROJ-22)', async () => {
    await filled('Taker', 0)
    await filled('Older', 2)
    await page.reload()
    await button('Delete', card('Older')).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    await dialog.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'No project' }).click()
    await dialog.getByText('at the bottom of the projects page').waitFor()
    await button('Reassign 2 documents', dialog).click()
    await button('Delete project', question()).click()
    await notice('Project deleted')
    const loose = page.getByRole('region', { name: 'Documents without a project' })
    await loose.waitFor()
    expect(await loose.getByRole('listitem').count()).toBe(2)
    expect(await accessibilityProblems(page)).toEqual([])
    await loose.getByLabel('Move Older 0.pdf to').click()
    await page.getByRole('option', { name: 'Taker' }).click()
    await card('Taker').getByText('1 document').waitFor()
    await loose.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'Taker' }).click()
    await card('Taker').getByText('2 documents').waitFor()
    await loose.waitFor({ state: 'detached' })
  })

  it('The dialog reports when moving and deleting fail, and stops (MSG-54, MSG-55)', async () => {
    await filled('Faulty', 2)
    await page.reload()
    await button('Delete', card('Faulty')).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    // The first of two requests moves one document.
    await page.route(`**${api.documentsReassign()}`, (route) => route.abort())
    await page.route(
      `**${api.documentsReassign()}`,
      (route) => route.continue({ postData: { ...(route.request().postDataJSON() as object), limit: 1 } }),
      { times: 1 },
    )
    await dialog.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'No project' }).click()
    await button('Reassign 2 documents', dialog).click()
    await notice('Failed to reassign 1 of 2 documents')
    await button('Reassign 1 document', dialog).waitFor()
    await dialog.getByText('“Faulty” has 1 document.').waitFor()
    await dialog.getByRole('tab', { name: 'Delete all documents' }).click()
    await page.route('**/api/projects/*/documents', (route) => route.abort())
    await button('Delete 1 document', dialog).click()
    await notice('Failed to fetch documents for deletion')
    expect(await question().count()).toBe(0)
  })

  it('The dialog can delete all documents first (PROJ-24, MSG-56, MSG-57)', async () => {
    await filled('Full', 2)
    await page.reload()
    await button('Delete', card('Full')).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    await dialog.getByRole('tab', { name: 'Delete all documents' }).click()
    await button('Delete 2 documents', dialog).click()
    await notice('Successfully deleted 2 documents')
    await button('Cancel', question()).click()
    await card('Full').getByText('0 documents').waitFor()

    const other = await filled('Emptied', 1)
    await page.reload()
    await button('Delete', card('Emptied')).click()
    await dialog.getByRole('tab', { name: 'Delete all documents' }).click()
    await ada.json(api.projectDocuments(other.id), { method: 'DELETE' })
    await button('Delete 1 document', dialog).click()
    await notice('No documents to delete')
    expect(await question().count()).toBe(0)
  })

  it('The list of projects reports when the documents of a project cannot be checked (MSG-07)', async () => {
    await filled('Unchecked', 0)
    await page.reload()
    await card('Unchecked').waitFor()
    await page.route('**/api/projects/*', (route) => route.abort())
    await button('Delete', card('Unchecked')).click()
    await notice('Error checking documents')
    expect(await question().count()).toBe(0)
    await page.unrouteAll()
  })

  it('The overview refuses to delete a project that has documents (OVER-09, MSG-06)', async () => {
    await filled('Blocked', 1)
    await page.goto('/Blocked/overview')
    await button('Delete').click()
    await notice('Cannot delete project')
    await notice('Please delete all documents first.')
    expect(await question().count()).toBe(0)
  })
})
