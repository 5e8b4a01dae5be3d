import sharp from 'sharp'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let page: Page
let ada: Client
let photo: Buffer
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  photo = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#7a3b2e' } })
    .png()
    .toBuffer()
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
  await page.goto('/projects')
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

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
  it('that is no image or too large is refused while it is chosen (PROJ-17, PROJ-18, PROJ-19)', async () => {
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

  it('is chosen for a new project and shown on its card and overview (PROJ-02, PROJ-07)', async () => {
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

  it('is kept, replaced and removed by editing (PROJ-20)', async () => {
    const before = (await projectNamed('Pictured')).hero_image!
    await button('Edit', card('Pictured')).click()
    await page.getByLabel('Research question').fill('Kept?')
    await button('Save Changes').click()
    await notice('Project updated')
    await card('Pictured').getByText('Kept?').waitFor()
    expect((await projectNamed('Pictured')).hero_image).toBe(before)

    await button('Edit', card('Pictured')).click()
    await picture().setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: photo })
    await button('Keep the current image').waitFor()
    await button('Save Changes').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const after = (await projectNamed('Pictured')).hero_image!
    expect(after).not.toBe(before)
    expect((await fetch(server.url + before)).status).toBe(404)

    await button('Edit', card('Pictured')).click()
    await button('Remove image').click()
    await button('Save Changes').click()
    await card('Pictured').locator('[data-slot=cover] svg').waitFor()
    expect((await projectNamed('Pictured')).hero_image).toBeNull()
  })
})

describe('deleting a project that has documents', () => {
  it('is begun by moving them to another project, in a dialog of two tabs (PROJ-21, PROJ-22, PROJ-24, MSG-53)', async () => {
    await filled('Old', 2)
    await page.reload()
    await card('Old').getByText('2 documents').waitFor()
    await button('Delete', card('Old')).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    await dialog.waitFor()
    expect(await dialog.getByRole('tab').allInnerTexts()).toEqual(['Reassign documents', 'Delete all documents'])
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'Pictured' }).click()
    await button('Reassign 2 documents', dialog).click()
    await notice('Successfully reassigned 2 documents')
    await button('Delete project', question()).click()
    await notice('Project deleted')
    await card('Old').waitFor({ state: 'detached' })
    await card('Pictured').getByText('2 documents').waitFor()
  })

  it('can leave them without a project, where the list of projects shows them (PROJ-22)', async () => {
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
    await page.getByRole('option', { name: 'Pictured' }).click()
    await card('Pictured').getByText('3 documents').waitFor()
    await loose.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'Pictured' }).click()
    await card('Pictured').getByText('4 documents').waitFor()
    await loose.waitFor({ state: 'detached' })
  })

  it('says when moving and deleting fail, and goes no further (MSG-54, MSG-55)', async () => {
    await button('Delete', card('Pictured')).click()
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    await page.route(`**${api.documentsReassign()}`, (route) => route.abort())
    await dialog.getByLabel('Move all documents to').click()
    await page.getByRole('option', { name: 'No project' }).click()
    await button('Reassign 4 documents', dialog).click()
    await notice('Failed to reassign 4 of 4 documents')
    await dialog.getByRole('tab', { name: 'Delete all documents' }).click()
    await page.route('**/api/projects/*/documents', (route) => route.abort())
    await button('Delete 4 documents', dialog).click()
    await notice('Failed to fetch documents for deletion')
    expect(await question().count()).toBe(0)
    await page.unrouteAll()
  })

  it('can delete them all first (PROJ-24, MSG-56, MSG-57)', async () => {
    const dialog = page.getByRole('dialog', { name: 'Manage Documents' })
    await button('Delete 4 documents', dialog).click()
    await notice('Successfully deleted 4 documents')
    await button('Cancel', question()).click()
    await card('Pictured').getByText('0 documents').waitFor()

    const other = await filled('Emptied', 1)
    await page.reload()
    await button('Delete', card('Emptied')).click()
    await dialog.getByRole('tab', { name: 'Delete all documents' }).click()
    await ada.json(api.projectDocuments(other.id), { method: 'DELETE' })
    await button('Delete 1 document', dialog).click()
    await notice('No documents to delete')
    expect(await question().count()).toBe(0)
  })

  it('says when the documents cannot be checked (MSG-07)', async () => {
    await page.route('**/api/projects/*', (route) => route.abort())
    await button('Delete', card('Emptied')).click()
    await notice('Error checking documents')
    expect(await question().count()).toBe(0)
    await page.unrouteAll()
  })

  it('is blocked on the overview (OVER-09, MSG-06)', async () => {
    await filled('Blocked', 1)
    await page.goto('/Blocked/overview')
    await button('Delete').click()
    await notice('Cannot delete project')
    await notice('Please delete all documents first.')
    expect(await question().count()).toBe(0)
  })
})
