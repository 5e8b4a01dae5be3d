import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { ZoteroSync } from '#shared/contract/zotero.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { startZoteroServer, ZOTERO_KEY, type ZoteroServer } from '#tests/helpers/zotero-server.ts'

const OWN = 'users/4711'

let server: TestServer
let zotero: ZoteroServer
let browser: Browser
let ada: Client
let page: Page
let project: string

beforeAll(async () => {
  zotero = await startZoteroServer()
  server = await startServer({ env: zotero.env })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await zotero.stop()
})

const item = (key: string, title: string, collections: string[], data: Record<string, unknown> = {}) => ({
  key,
  csl: { type: 'article-journal', title, author: [{ family: 'Marlowe', given: 'Ines' }], volume: '1' },
  data: { collections, ...data },
})
const dialog = () => page.getByRole('dialog', { name: 'From Zotero' })

it('Zotero is connected in the settings, and the key is not shown (FMT-80, FMT-74)', async () => {
  zotero.allow([OWN])
  await page.goto('/settings?tab=zotero')
  await page.getByLabel('API key', { exact: true }).fill('not-the-right-key')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Zotero does not accept this key.').waitFor()
  await page.getByLabel('API key', { exact: true }).fill(ZOTERO_KEY)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Connected as ines.marlowe').waitFor()
  await page.getByText('•••• x7Qf').waitFor()
  await page.getByText('This key may not read that library.').waitFor()
  expect(await page.content()).not.toContain(ZOTERO_KEY)
  expect(await accessibilityProblems(page)).toEqual([])
})

it('A collection is chosen in the tree, imported and synchronized, and an edited field differs (FMT-81, FMT-83, FMT-84)', async () => {
  zotero.addCollection(OWN, 'SLEEP001', 'Sleep and memory')
  zotero.addCollection(OWN, 'NAPS0001', 'Nap trials', 'SLEEP001')
  zotero.addCollection(OWN, 'METHODS1', 'Methods')
  zotero.put(
    OWN,
    item('PAPER001', 'A nap trial', ['NAPS0001'], { tags: [{ tag: 'naps' }] }),
    item('PAPER002', 'Sleep and recall', ['SLEEP001']),
    item('PAPER003', 'A method', ['METHODS1']),
  )
  await ada.json(api.zoteroConnection(), { method: 'PUT', body: { key: ZOTERO_KEY } })
  await page.goto('/Naps/documents')
  await page.getByRole('button', { name: 'Import references' }).click()
  await page.getByRole('menuitem', { name: /From Zotero…/ }).click()
  await dialog().getByText('Connected as ines.marlowe').waitFor()
  await dialog().getByRole('checkbox', { name: 'Sleep and memory' }).press('Space')
  await dialog().getByRole('button', { name: 'Collections of Sleep and memory' }).press('Enter')
  expect(await dialog().getByRole('checkbox', { name: 'Nap trials' }).isChecked()).toBe(true)
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Import up to 2 papers' }).click()
  await page.getByText('Imported: 2 new, 0 joined with papers you have, 0 failed').waitFor()
  await page.getByRole('link', { name: 'A nap trial' }).waitFor()
  expect(await page.getByRole('link', { name: 'A method' }).count()).toBe(0)

  const { data } = await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: project }))
  const { id } = data.find(({ title }) => title === 'A nap trial')!
  await ada.json(api.document(id), { method: 'PATCH', body: { title: 'My own title' } })
  zotero.put(OWN, item('PAPER001', 'Title of Zotero', ['NAPS0001']))
  zotero.remove(OWN, 'PAPER002')
  await page.getByRole('button', { name: 'Import references' }).click()
  await page.getByRole('menuitem', { name: /From Zotero…/ }).click()
  await dialog().getByText('Imported into this project').waitFor()
  await dialog().getByRole('checkbox', { name: 'Sleep and memory' }).click()
  await dialog()
    .getByRole('button', { name: 'Import up to' })
    .or(dialog().getByRole('button', { name: 'Import 1 paper' }))
    .click()
  await page.getByText('1 paper removed in Zotero').waitFor()
  await page.getByRole('row').getByText('Removed in Zotero', { exact: true }).waitFor()
  await page.goto(`/Naps/document/${id}`)
  await page.getByRole('heading', { name: 'Differs from Zotero' }).waitFor()
  await page.getByText('Title of Zotero').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  zotero.put(OWN, item('PAPER001', 'Later title of Zotero', ['NAPS0001']))
  const body = { project_id: project, libraries: [{ library: OWN, collections: ['SLEEP001'] }] }
  await ada.job((await ada.json<{ data: Job }>(api.zoteroImports(), { body })).data.id)
  await page.getByText('Later title of Zotero').waitFor()
  await page.getByRole('button', { name: 'Use Zotero’s value: Title' }).click()
  await page.getByRole('heading', { name: 'Later title of Zotero' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Differs from Zotero' }).count()).toBe(0)
})

it('A choice adds to the earlier import from the library, and the dialog names the import that it replaces (FMT-81)', async () => {
  zotero.addCollection(OWN, 'COHORTS1', 'Cohorts')
  zotero.addCollection(OWN, 'REVIEWS1', 'Reviews')
  zotero.put(OWN, item('COHORT01', 'A cohort', ['COHORTS1']), item('REVIEW01', 'A review', ['REVIEWS1']))
  await ada.json(api.zoteroConnection(), { method: 'PUT', body: { key: ZOTERO_KEY } })
  const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Replaced' } })).data
  const before = { project_id: id, libraries: [{ library: OWN, collections: ['COHORTS1'] }], synchronize: 'hourly' }
  const { data: job } = await ada.json<{ data: Job }>(api.zoteroImports(), { body: { ...before, with_tags: false } })
  await ada.job(job.id)
  await page.goto('/Replaced/documents')
  await page.getByRole('button', { name: 'Import references' }).click()
  await page.getByRole('menuitem', { name: /From Zotero…/ }).click()
  await dialog().getByRole('checkbox', { name: 'Reviews' }).press('Space')
  expect(await dialog().getByRole('checkbox', { name: 'Cohorts' }).isChecked()).toBe(true)
  expect(await dialog().getByRole('checkbox', { name: 'Tags' }).isChecked()).toBe(false)
  await dialog().getByText('This replaces the import of ‘My library, Cohorts’.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Import up to 2 papers' }).click()
  await page.getByText('Imported: 1 new').waitFor()
  const { data } = await ada.json<{ data: ZoteroSync[] }>(api.zoteroImports({ project_id: id }))
  expect(data).toMatchObject([{ collections: ['COHORTS1', 'REVIEWS1'], synchronize: 'hourly', with_tags: false }])
})
