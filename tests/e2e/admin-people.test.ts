import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Evaluation } from '#shared/contract/evaluations.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { ACCOUNT_DISABLED, LAST_ADMIN } from '#shared/contract/people.ts'
import type { Site } from '#shared/contract/site.ts'
import {
  accessibilityProblems,
  clickAfterFailure,
  closeContexts,
  newPage,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let root: Client
let eve: Client
/** `page`: the browser page of the admin. `hers`: the page of Eve, a user who is not an admin. */
let page: Page
let hers: Page
beforeAll(async () => {
  server = await startServer()
  root = await signUp(server.url, { email: 'root@example.org' })
  eve = await signUp(server.url, { email: 'eve@example.org' })
  browser = await openBrowser()
  ;[page, hers] = await Promise.all([signedIn(root), signedIn(eve)])
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

async function enter(on: Page, { email, password }: Client) {
  await on.getByLabel('Email').fill(email)
  await on.getByLabel('Password', { exact: true }).fill(password)
  await on.getByRole('button', { name: 'Sign In', exact: true }).click()
}
async function signedIn(client: Client): Promise<Page> {
  const opened = await newPage(browser, { baseURL: server.url })
  await opened.page.goto('/auth')
  await enter(opened.page, client)
  await opened.page.waitForURL('**/projects')
  return opened.page
}
const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(words, { exact: true }).waitFor()
const row = (email: string) => page.getByRole('row').filter({ hasText: email })
/** Returns the selected role, 'User' or 'Admin', in a user's row. */
const role = (email: string) => row(email).getByRole('radio', { checked: true }).innerText()
const choose = (email: string, name: 'User' | 'Admin') => row(email).getByRole('radio', { name, exact: true }).click()

describe('the admin area', () => {
  it('The admin area has a side navigation, and only admins can open it and its pages (ADMU-01, NAV-04)', async () => {
    await page.goto(pages.admin())
    await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor()
    const nav = page.getByRole('navigation', { name: 'Admin' })
    expect((await nav.getByRole('link').allInnerTexts()).slice(0, 5)).toEqual([
      'Dashboard',
      'Usage',
      'Journals',
      'Integrations',
      'Prompts',
    ])
    for (const name of ['Usage', 'Audit log', 'System']) {
      await nav.getByRole('link', { name, exact: true }).click()
      await expect.poll(() => nav.locator('a[aria-current]').allInnerTexts()).toEqual([name])
    }
    for (const path of [pages.admin(), pages.adminUsage(), pages.adminJournals(), pages.adminSystem(), '/admin/x']) {
      await hers.goto(path)
      await hers.waitForURL(({ pathname }) => !pathname.startsWith('/admin'))
    }
    expect(await hers.getByRole('navigation', { name: 'Admin' }).count()).toBe(0)
  })

  it('The admin area folds its navigation into one line on a phone, and no page scrolls sideways', async () => {
    // Longer than any row.
    const name = 'Journalofeverything'.repeat(10)
    const { data } = await root.json<{ data: { id: string } }>(api.adminCatalogue(), { body: { name } })
    await root.json(api.adminExcluded(), { body: { openalex_id: 'S1', journal_name: name } })
    const long = { name, description: name, model: name, prompt: name }
    await root.json(api.prompts(), { body: long })
    await page.setViewportSize({ width: 390, height: 844 })
    const places = [
      [pages.admin(), 'root@example.org'],
      [pages.adminJournals(), name],
      [pages.adminJournals('excluded'), name],
      [pages.adminJournal(data.id), name],
      [pages.adminPrompts(), name],
      [pages.adminAudit(), name],
      [pages.adminSystem(), 'Text extraction'],
    ] as const
    for (const [path, words] of places) {
      await page.goto(path)
      await page.getByRole('main').getByText(words).first().waitFor()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([path, wide]).toEqual([path, 0])
    }
    const nav = page.getByRole('navigation', { name: 'Admin' })
    expect(await nav.getByRole('link').count()).toBe(0)
    await nav.getByRole('button', { name: 'System', exact: true }).click()
    await nav.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Admin Dashboard' }).waitFor()
    expect(await nav.getByRole('link').count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })
})

describe('the dashboard', () => {
  it('The dashboard lists the users with a toggle of the admin right, which changes at once (ADMU-02, ADMU-03, ADMU-04, MSG-77)', async () => {
    await page.goto(pages.admin())
    expect(await role('eve@example.org')).toBe('User')
    expect(await role('root@example.org')).toBe('Admin')
    expect(await accessibilityProblems(page)).toEqual([])
    let answer = () => {}
    const held = new Promise<void>((resume) => {
      answer = resume
    })
    await page.route(`**${api.adminPerson(eve.userId)}`, async (route) => {
      await held
      await route.continue()
    })
    await choose('eve@example.org', 'Admin')
    // The server has not answered yet.
    await expect.poll(() => role('eve@example.org')).toBe('Admin')
    answer()
    await notice('User admin status updated to admin')
    await page.unroute(`**${api.adminPerson(eve.userId)}`)
    expect((await eve.fetch(api.adminPeople())).status).toBe(200)
    await page.getByRole('button', { name: 'Undo' }).click()
    await notice('User admin status updated to regular user')
    expect((await eve.fetch(api.adminPeople())).status).toBe(403)
    expect(await role('eve@example.org')).toBe('User')
  })

  it('The dashboard is closed to an admin who loses the right while it is open', async () => {
    const setRight = (is_admin: boolean) =>
      root.json(api.adminPerson(eve.userId), { method: 'PATCH', body: { is_admin } })
    await setRight(true)
    const own = await signedIn(eve)
    await own.goto(pages.admin())
    await own.getByText('root@example.org').waitFor()
    await setRight(false)
    await own.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Usage' }).click()
    await own.waitForURL(({ pathname }) => !pathname.startsWith('/admin'))
    await own.getByRole('region', { name: 'Notifications' }).getByText('You are no longer an administrator.').waitFor()
    expect(await own.getByRole('navigation', { name: 'Admin' }).count()).toBe(0)
    await own.context().close()
  })

  it('The dashboard reverts a change that the server refuses, and asks before an admin gives up the own right (ADMU-04, ADMU-09, MSG-76)', async () => {
    await page.goto(pages.admin())
    const question = page.getByRole('alertdialog', { name: 'Give up your own admin right?' })
    // An invalid change is refused without a confirmation.
    await choose('root@example.org', 'User')
    await notice(`Failed to update admin status: ${LAST_ADMIN}`)
    expect(await question.count()).toBe(0)
    expect(await role('root@example.org')).toBe('Admin')
    await page.keyboard.press('Escape')
    await choose('eve@example.org', 'Admin')
    await notice('User admin status updated to admin')
    await choose('root@example.org', 'User')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await role('root@example.org')).toBe('Admin')
    await choose('root@example.org', 'User')
    await question.waitFor()
    // The other admin loses the right while the dialog is open.
    await root.json(api.adminPerson(eve.userId), { method: 'PATCH', body: { is_admin: false } })
    await question.getByRole('button', { name: 'Give up the right' }).click()
    await notice(`Failed to update admin status: ${LAST_ADMIN}`)
    await expect.poll(() => role('root@example.org')).toBe('Admin')
  })

  it('The dashboard searches and filters the list, and reports when no user matches (MSG-74)', async () => {
    await page.goto(pages.admin())
    await page.getByLabel('Search people').fill('EVE@')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await row('eve@example.org').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('EVE@')
    await page.getByLabel('Search people').fill('xyzzy')
    await page.getByText('No users found', { exact: true }).waitFor()
    await page.goto(`${pages.admin()}?show=admins`)
    await row('root@example.org').waitFor()
    expect(await row('eve@example.org').count()).toBe(0)
  })

  it('The dashboard disables an account after a confirmation, the sign-in shows the user the reason, and the dashboard enables the account again', async () => {
    await page.goto(pages.admin())
    await row('eve@example.org').getByRole('button', { name: 'Disable eve', exact: true }).click()
    await page
      .getByRole('alertdialog', { name: 'Disable the account of eve?' })
      .getByRole('button', { name: 'Disable account' })
      .click()
    await notice('Account disabled')
    await row('eve@example.org').getByText('Disabled', { exact: true }).waitFor()
    await hers.goto('/projects')
    await hers.waitForURL('**/auth**')
    await enter(hers, eve)
    await hers.getByRole('region', { name: 'Notifications' }).getByText(ACCOUNT_DISABLED).waitFor()
    await row('eve@example.org').getByRole('button', { name: 'Enable eve', exact: true }).click()
    await notice('Account enabled')
    await enter(hers, eve)
    await hers.waitForURL('**/projects')
    expect(await row('eve@example.org').getByText('Disabled', { exact: true }).count()).toBe(0)
  })

  it('The dashboard creates a link with which a user without the password chooses a new one', async () => {
    await page.goto(pages.admin())
    await row('eve@example.org').getByRole('button', { name: 'New password link for eve' }).click()
    const dialog = page.getByRole('dialog', { name: 'New password link' })
    await dialog.getByRole('button', { name: 'Create the link' }).click()
    const link = await dialog.getByLabel('Link for eve@example.org').inputValue()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'hidden' })

    // A browser that is signed in has to sign out first.
    await hers.goto(link)
    await hers.getByRole('button', { name: 'Log out' }).click()
    await hers.getByLabel('New password').fill('a new password of eve')
    await hers.getByRole('button', { name: 'Save password' }).click()
    await hers.waitForURL('**/auth')
    await enter(hers, { ...eve, password: 'a new password of eve' })
    await hers.waitForURL('**/projects')
  })

  it("The dashboard reports when the users cannot be loaded, and has 'Retry' (ADMU-05, ADMU-06, MSG-75)", async () => {
    await page.route('**/api/admin/people*', (route) =>
      route.fulfill({ status: 400, json: { error: { code: 'malformed', message: 'Not now.' } } }),
    )
    await page.goto(pages.admin())
    await page.getByRole('region', { name: 'Notifications' }).getByText('Error loading users').waitFor()
    await notice('There was a problem loading user data. Please try again later.')
    expect(await page.getByRole('row').count()).toBe(0)
    await clickAfterFailure(page, page.getByRole('button', { name: 'Retry' }))
    await row('root@example.org').waitFor()
  })
})

it('The audit log lists the actions of admins, and is filtered by kind', async () => {
  for (const disabled of [true, false])
    await root.json(api.adminPerson(eve.userId), { method: 'PATCH', body: { disabled } })
  const { count } = await root.json<{ count: number }>(api.adminAudit())
  await page.goto(pages.adminAudit())
  await row('Account disabled').getByText('eve@example.org').first().waitFor()
  expect(await page.getByRole('row').count()).toBe(1 + count)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Prices' }).click()
  await page.getByText('No entry matches the search and the filters.').waitFor()
})

it("The filter 'Today' of the audit log uses the day of the local time zone, as its rows do", async () => {
  for (const [subject, time] of [
    ['Late', '2040-06-01T14:59:00Z'],
    ['Early', '2040-06-01T15:01:00Z'],
  ])
    await inDatabase(server, `insert into audit_log (action, subject, created_at) values ('prompt.added', $1, $2)`, [
      subject,
      time,
    ])
  const { page: tokyo, context } = await signedInPage(browser, root, { timezone: 'Asia/Tokyo' })
  await tokyo.clock.setFixedTime('2040-06-01T20:00:00Z')
  await tokyo.goto(pages.adminAudit())
  const late = tokyo.getByRole('row', { name: 'Late' })
  await late.getByText('Jun 1, 2040, 23:59').waitFor()
  await tokyo.getByRole('combobox', { name: 'Time' }).click()
  await tokyo.getByRole('option', { name: 'Today' }).click()
  await late.waitFor({ state: 'detached' })
  await tokyo.getByRole('row', { name: 'Early' }).getByText('Jun 2, 2040, 00:01').waitFor()
  expect(await late.count()).toBe(0)
  await context.close()
})

it('The system page shows figures and failed jobs, which an admin can repeat or delete', async () => {
  const ada = await signUp(server.url, { email: 'ada@example.org' })
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  const damaged = await readFile(new URL('../fixtures/truncated.pdf', import.meta.url))
  const document = await ada.upload(project.id, new File([damaged], 'damaged.pdf', { type: 'application/pdf' }))
  const { data } = await ada.json<{ data: Job }>(api.documentExtract(document.id), { body: { method: 'text' } })
  await ada.job(data.id)
  await page.goto(pages.adminSystem())
  await page.getByText('All followed feeds can be read.').waitFor()
  const { commit } = (await root.json<{ data: Site }>(api.site())).data
  if (commit) await page.getByText(`Commit ${commit.slice(0, 12)}, Node`).waitFor()
  await page.getByRole('definition').nth(7).waitFor()
  expect(await page.getByRole('definition').count()).toBe(8)
  const failed = page.getByRole('row').filter({ hasText: 'ada@example.org' })
  await failed.getByText('This file is damaged and cannot be read as a PDF.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await failed.getByRole('button', { name: 'Retry' }).click()
  await notice('Job started again')
  // The job fails again, because the file is unchanged.
  const list = async () => (await root.json<{ data: { id: string }[] }>(api.adminFailedJobs())).data.map(({ id }) => id)
  await expect.poll(async () => (await list()).length).toBe(1)
  expect(await list()).not.toContain(data.id)
  const seen = page.waitForResponse((response) => response.url().includes('/api/admin/failed-jobs'))
  await inDatabase(server, 'update jobs set created_by = null where id = any ($1)', [await list()])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await seen
  // The job of a deleted account cannot be started again.
  const orphan = page.getByRole('row').filter({ hasText: 'Deleted account' })
  await orphan.getByRole('button', { name: 'Delete' }).waitFor()
  expect(await orphan.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await orphan.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete job' }).click()
  await notice('Failed job deleted')
  await page.getByText('No job has failed in the last seven days.').waitFor()
  expect((await root.json<{ count: number }>(api.adminFailedJobs())).count).toBe(0)
})

it('The system page names the documents with vectors of another model, and an admin pauses and continues their renewal', async () => {
  const { data: project } = await root.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Vectors' } })
  const paper = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
  const { id } = await root.upload(project.id, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  const text = '[Page 1]\nWalking in the evening helped older adults to sleep.'
  await root.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  const { data: job } = await root.json<{ data: Job }>(api.documentVectorize(id), { body: {} })
  expect((await root.job(job.id)).status).toBe('completed')
  await page.goto(pages.adminSystem())
  await page.getByText('All vectorized documents have its vectors.').waitFor()

  await root.json(api.adminVectors(), { method: 'PUT', body: { is_paused: true } })
  await inDatabase(server, `update documents set embedding_model = 'another' where id = $1`, [id])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('1 of 1 vectorized documents have vectors of another model', { exact: false }).waitFor()
  await page.getByText('They are not vectorized again.', { exact: false }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue vectorizing' }).click()
  await expect
    .poll(async () => (await root.json<{ data: DocumentDetail }>(api.document(id))).data.embedding_stale, {
      timeout: 60_000,
    })
    .toBe(false)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('All vectorized documents have its vectors.').waitFor()
})

it('The system page compares the evaluated models, also on a phone', async () => {
  await page.goto(pages.adminSystem())
  await page.getByText('No model has been evaluated yet.', { exact: false }).waitFor()
  const theirs: Evaluation = {
    model: 'example-large',
    embedding_model: 'example-embedding',
    provider: 'api.example.org',
    measured_at: '2026-11-22T10:00:00.000Z',
    version: '0.2.0',
    half: 'unseen',
    questions: 120,
    unanswerable: 20,
    hit_at_3: 0.91,
    gold_answers: 0.83,
    refused: 0.7,
    wrongly_refused: 0.02,
    sentences: 200,
    sentences_found: 190,
    tokens_in: 1_000_000,
    tokens_out: 23_456,
    cost_usd: null,
    seconds_per_answer: 2.34,
    seconds: 400,
  }
  const ours = { ...theirs, model: 'built-in', provider: null, tokens_in: 0, tokens_out: 0, cost_usd: 0.004 }
  const folder = join(server.dataDir, 'evaluations')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'theirs.json'), JSON.stringify(theirs))
  await writeFile(join(folder, 'ours.json'), JSON.stringify(ours))
  await page.getByRole('button', { name: 'Refresh' }).click()
  const table = page.getByRole('table', { name: 'Models compared' })
  await table.getByText('Built-in (offline, extractive)').waitFor()
  const text = await table.getByRole('row').filter({ hasText: 'example-large' }).innerText()
  for (const part of ['api.example.org', '120 questions of the unseen half', '91 %', '83 %', '70 % (2 %)', '95 %'])
    expect(text).toContain(part)
  for (const part of ['1,023,456', 'unknown', '2.3']) expect(text).toContain(part)
  expect(await table.getByRole('cell', { name: 'under $0.01', exact: true }).count()).toBe(1)
  expect(await accessibilityProblems(page)).toEqual([])
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize(size)
})
