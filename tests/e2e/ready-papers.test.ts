import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import type { ProjectProgress } from '#shared/contract/processing.ts'
import { join } from '#tests/helpers/asking.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
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
    const files = [file('paper.pdf'), file('paper-password.pdf', 'locked.pdf'), file('truncated.pdf', 'damaged.pdf')]
    await page.locator('input[type=file]').setInputFiles(files)
    const upload = page.getByRole('dialog', { name: 'Upload Document' })
    expect(await upload.getByRole('switch', { name: /^Process these papers/ }).isChecked()).toBe(true)
    await upload.getByRole('button', { name: 'Upload 3 papers' }).click()
    const line = page.getByRole('region', { name: 'Progress of the upload' })
    await line.getByText('1 of 3 papers ready · 2 need you').waitFor({ timeout: 90_000 })
    const failed = (name: string) => line.getByRole('listitem').filter({ hasText: name })
    const locked = 'This PDF is protected by a password.'
    expect(await failed('locked.pdf').innerText()).toContain(`${locked} Open the paper and enter the password`)
    expect(await failed('locked.pdf').getByRole('link', { name: 'locked.pdf', exact: true }).count()).toBe(1)
    expect(await failed('locked.pdf').getByRole('link', { name: 'Open the paper: locked.pdf' }).count()).toBe(1)
    const damaged = 'This file is damaged and cannot be read as a PDF.'
    expect(await failed('damaged.pdf').innerText()).toContain(`${damaged} Upload another copy of the file.`)
    // The rows of the table show the reasons as text.
    for (const reason of [locked, damaged]) await page.getByRole('row').getByText(reason).waitFor()
    await picture(page, 'upload-failures')
    expect(await accessibilityProblems(page)).toEqual([])
    await failed('damaged.pdf').getByRole('button', { name: 'Upload a copy: damaged.pdf' }).click()
    await upload.waitFor()
    await page.keyboard.press('Escape')

    await page.reload()
    await line.getByText('1 of 3 papers ready').first().waitFor()
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
    await page.getByRole('button', { name: 'Upload 2 papers' }).click()
    const line = page.getByRole('region', { name: 'Progress of the upload' })
    const button = (name: string) => line.getByRole('button', { name, exact: true })
    await button('Pause').click()
    await line.getByText('0 of 2 papers ready · 2 waiting · paused').waitFor()
    await page.reload()
    await line.getByText('0 of 2 papers ready · 2 waiting · paused').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button('Resume').click()
    // A paper whose OCR had begun before the pause can be ready soon.
    await line.getByText(/^[01] of 2 papers ready · (?:[12] being read|[12] waiting)(?!.*paused)/).waitFor()
    await button('Cancel the rest').click()
    await line.getByText(/^(?:0 of 2 papers ready · 2|1 of 2 papers ready · 1) not processed/).waitFor()
  })

  it('A row of the list shows the step and the progress of the job that works on the paper', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Steps' } })
    const [first, second, third] = await Promise.all(
      ['first.pdf', 'second.pdf', 'third.pdf'].map((name) =>
        ada.upload(project.id, new File([onePagePdf([name])], name)),
      ),
    )
    const insertJob = (id: string, values: string) =>
      inDatabase(
        server,
        `insert into jobs (kind, status, progress, progress_text, created_by, document_id, project_id)
          values (${values}, $1, $2, $3)`,
        [ada.userId, id, project.id],
      )
    await insertJob(first!.id, `'ocr', 'running', 64, 'Reading page 9 of 14 by OCR'`)
    await insertJob(second!.id, `'vectorize', 'queued', 0, null`)
    const { page } = await signedInPage(browser, ada)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(pages.documents('Steps'))
    const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await row('first.pdf').getByText('Reading page 9 of 14 by OCR').waitFor()
    const bar = row('first.pdf').getByRole('progressbar', { name: 'Reading pages' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('64')
    await row('second.pdf').getByText('Vectorizing: waiting in the queue').waitFor()
    expect(await row('third.pdf').getByRole('progressbar').count()).toBe(0)
    // The request for the jobs of the project loads those of all rows. Events of the documents can repeat it.
    const ofProject = new URL(api.jobs({ project_id: project.id, active: 'true', limit: 200 }), server.url).href
    expect(requests).toContain(ofProject)
    for (const { id } of [first!, second!, third!])
      expect(requests.filter((url) => url.includes(`document_id=${id}`))).toEqual([])
    expect(await accessibilityProblems(page)).toEqual([])
    await picture(page, 'steps')
  })

  it('A paper that failed because of a service is processed again, and the result without failures disappears by itself', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Service' } })
    const upload = randomUUID()
    const paper = new File([onePagePdf(['Naps helped older adults to fall asleep.'])], 'naps.pdf')
    const { id } = await ada.upload(project.id, paper, { upload_id: upload, process_automatically: 'false' })
    const { data: job } = await ada.json<{ data: { id: string } }>(api.documentExtract(id), {
      body: { method: 'text' },
    })
    await ada.job(job.id)
    await inDatabase(
      server,
      `insert into jobs (kind, status, error, error_code, created_by, document_id, project_id, finished_at)
        values ('vectorize', 'failed', 'The AI provider did not answer.', 'outside_failed', $1, $2, $3, now())`,
      [ada.userId, id, project.id],
    )
    const { page } = await signedInPage(browser, ada)
    await page.addInitScript(
      ([key, value]) => localStorage.setItem(key!, value!),
      [`lectern.upload.${project.id}`, upload],
    )
    await page.goto(pages.documents('Service'))
    const line = page.getByRole('region', { name: 'Progress of the upload' })
    await line.getByText('0 of 1 paper ready · 1 needs you').waitFor()
    const failed = line.getByRole('listitem')
    await failed.getByText('The AI provider did not answer. If it fails again, ask an administrator.').waitFor()
    await failed.getByRole('button', { name: 'Try again: naps.pdf' }).click()
    await line.getByText('1 of 1 paper ready', { exact: true }).first().waitFor()
    await line.waitFor({ state: 'detached' })
    expect(await page.getByRole('row').getByText('Completed').count()).toBe(1)
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

/** Stores a screenshot in the folder of the environment variable SCREENSHOTS, if it is set. */
async function picture(page: Page, name: string) {
  const folder = process.env['SCREENSHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
