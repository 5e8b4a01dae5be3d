import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import type { ProjectProgress } from '#shared/contract/processing.ts'
import { join } from '#tests/helpers/asking.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests papers that are processed automatically after the upload. */

const server = sharedServer()
let browser: Browser
let ada: Client
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
})
afterAll(() => closeContexts(browser))

const file = (name: string, as = name) => ({
  name: as,
  mimeType: 'application/pdf',
  buffer: readFileSync(new URL(`../fixtures/${name}`, import.meta.url)),
})

/** Uploads a paper to a project as a paused upload of Ada. Returns the id of the upload. */
async function pausedUpload(projectId: string): Promise<string> {
  const upload_id = randomUUID()
  const pdf = (name: string) => new File([onePagePdf(['Naps helped older adults to fall asleep.'])], name)
  const { id } = await ada.upload(projectId, pdf('first.pdf'), { upload_id, process_automatically: 'false' })
  await ada.json(api.upload(upload_id), { method: 'PATCH', body: { is_paused: true } })
  await ada.upload(projectId, pdf('naps.pdf'), { upload_id })
  await ada.json(api.document(id), { method: 'DELETE' })
  return upload_id
}

/** Opens the documents of the project 'Paused for all' in a new browser of a user. */
async function openDocuments(who: Client): Promise<Page> {
  const { page } = await signedInPage(browser, who)
  await page.goto(pages.documents('Paused for all'))
  return page
}

describe('automatic processing of papers', () => {
  it('A new project processes papers, and a line of progress counts the ready ones and names the failed ones', async () => {
    const { page } = await signedInPage(browser, ada)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(pages.projects())
    await button('New Project').first().click()
    const dialog = page.getByRole('dialog', { name: 'New Project' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('By itself')
    expect(await dialog.getByRole('switch').isChecked()).toBe(true)
    await button('Create Project').click()
    await dialog.waitFor({ state: 'detached' })

    await page.goto(pages.documents('By itself'))
    await button('Upload Document').first().click()
    await page.locator('input[type=file]').setInputFiles([file('paper.pdf'), file('paper-password.pdf', 'locked.pdf')])
    const upload = page.getByRole('dialog', { name: 'Upload Document' })
    expect(await upload.getByRole('switch', { name: /^Process these papers/ }).isChecked()).toBe(true)
    await upload.getByRole('button', { name: 'Upload 2 files' }).click()
    const line = page.getByRole('region', { name: 'Progress of the upload' })
    await line.getByText('1 of 2 papers ready · 1 failed').waitFor({ timeout: 90_000 })
    const failed = line.getByRole('listitem')
    expect(await failed.innerText()).toContain('This PDF is protected by a password.')
    expect(await failed.getByRole('link', { name: 'locked.pdf' }).count()).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])

    await page.reload()
    await line.getByText('1 of 2 papers ready').waitFor()
    await line.getByRole('button', { name: 'Dismiss' }).click()
    await line.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: /^Evening group walking/ }).click()
    const authors = page.getByRole('paragraph').filter({ hasText: 'Maren Oldfield' })
    await authors.getByRole('button', { name: 'p. 1' }).click()
    const reader = page.locator('[data-page="1"]')
    await reader.locator('[data-slot=passage-line]').first().waitFor()

    // A value that a user has entered has no link to a place in the paper.
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    await ada.json(api.document(id), { method: 'PATCH', body: { authors: ['Maren Oldfield', 'Ada Berg'] } })
    await authors.filter({ hasText: 'Ada Berg' }).waitFor()
    expect(await authors.getByRole('button').count()).toBe(0)
  })

  it('The papers of an upload wait during a pause, also after a reload, and the rest can be cancelled', async () => {
    const { page } = await signedInPage(browser, ada)
    await ada.json('/api/projects', { body: { name: 'Paused', process_automatically: true } })
    await page.goto(pages.documents('Paused'))
    await page.getByRole('button', { name: 'Upload Document' }).first().click()
    await page.locator('input[type=file]').setInputFiles([file('paper-scan.pdf'), file('paper-scan.pdf', 'copy.pdf')])
    await page.getByRole('button', { name: 'Upload 2 files' }).click()
    const line = page.getByRole('region', { name: 'Progress of the upload' })
    const button = (name: string) => line.getByRole('button', { name, exact: true })
    await button('Pause').click()
    await line.getByText('0 of 2 papers ready · 2 waiting · paused').waitFor()
    await page.reload()
    await line.getByText('0 of 2 papers ready · 2 waiting · paused').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Resume').click()
    // A paper whose OCR had begun before the pause can be ready soon.
    await line.getByText(/^(?:0 of 2 papers ready · 2|1 of 2 papers ready · 1) being processed/).waitFor()
    await button('Cancel the rest').click()
    await line.getByText(/^(?:0 of 2 papers ready · 2|1 of 2 papers ready · 1) not processed/).waitFor()
  })

  it('A paused upload is visible in another browser, where another member resumes it', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
      body: { name: 'Paused for all', process_automatically: true },
    })
    const upload = await pausedUpload(project.id)
    const [editor, viewer] = [await join(server, project.id, 'editor'), await join(server, project.id, 'viewer')]
    const own = await openDocuments(ada)
    await own.getByText('Your upload: 0 of 1 paper ready · 1 waiting · paused').waitFor()
    const seen = await openDocuments(viewer)
    await seen.getByText(/^Upload of .+: 0 of 1 paper ready · 1 waiting · paused$/).waitFor()
    expect(await seen.getByRole('button', { name: 'Resume' }).count()).toBe(0)
    const page = await openDocuments(editor)
    await page.getByText(/^Upload of .+: 0 of 1 paper ready · 1 waiting · paused$/).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText(/^Upload of/).waitFor({ state: 'detached' })
    await own.getByText('Your upload').waitFor({ state: 'detached' })
    const { data } = await ada.json<{ data: ProjectProgress }>(api.projectProgress(project.id, { upload_id: upload }))
    expect(data.is_paused).toBe(false)
  })

  it('A user starts a step of a paper whose upload is paused', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
      body: { name: 'Paused paper', process_automatically: true },
    })
    const upload = await pausedUpload(project.id)
    const { data } = await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project.id }))
    const { page } = await signedInPage(browser, ada)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(pages.document('Paused paper', data[0]!.id))
    const work = page.getByRole('list', { name: 'Running work' })
    await work.getByText('The processing of this upload is paused.').waitFor()
    await button('Extract Text').click()
    const dialog = page.getByRole('dialog', { name: 'Select Extraction Method' })
    await dialog.getByRole('radio', { name: /^Automatic/ }).click()
    await dialog.getByRole('button', { name: 'Start Extract' }).click()
    await page.getByRole('region', { name: 'Notifications' }).getByText('Text extracted successfully').waitFor()
    // The analysis and the vectors wait for the upload, and the button starts the vectors.
    await work.getByText('The processing of this upload is paused.').nth(1).waitFor()
    await button('Vectorise').click()
    await page.getByRole('menuitem', { name: 'Vectorize', exact: true }).click()
    await page
      .getByRole('region', { name: 'Notifications' })
      .getByText('Document vectorization completed successfully')
      .waitFor()
    const { data: paused } = await ada.json<{ data: unknown[] }>(api.pausedUploads(project.id))
    expect(paused).toMatchObject([{ id: upload }])
    await ada.json(api.uploadCancel(upload), { method: 'POST' })
  })

  it('Papers of an upload with automatic processing off stay pending, without a line of progress', async () => {
    const { page } = await signedInPage(browser, ada)
    await ada.json('/api/projects', { body: { name: 'On', process_automatically: true } })
    await page.goto(pages.documents('On'))
    await page.getByRole('button', { name: 'Upload Document' }).first().click()
    await page.locator('input[type=file]').setInputFiles([file('paper.pdf')])
    const upload = page.getByRole('dialog', { name: 'Upload Document' })
    await upload.getByRole('switch', { name: /^Process these papers/ }).click()
    await upload.getByRole('button', { name: 'Upload', exact: true }).click()
    await page
      .getByRole('row', { name: /paper\.pdf/ })
      .getByText('Pending')
      .waitFor()
    expect(await page.getByRole('region', { name: 'Progress of the upload' }).count()).toBe(0)
  })
})
