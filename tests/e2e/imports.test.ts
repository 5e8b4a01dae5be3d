import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ImportRecordRow } from '#shared/contract/imports.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Trash } from '#shared/contract/trash.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  await ada.json(api.projects(), { body: { name: 'Naps' } })
})
afterAll(() => closeContexts(browser))

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/references/${name}`, import.meta.url))

/** Simulates the drop of a file on the page. */
async function dropOnPage(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([file.text], file.name))
      return transfer
    },
    { name, text },
  )
  await page.locator('main').dispatchEvent('drop', { dataTransfer })
}

it('Files are previewed and imported with their sources, and an import is listed, read and undone (FMT-01, FMT-02, FMT-03, FMT-05, FMT-06, FMT-07)', async () => {
  const { page } = await signedInPage(browser, ada)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await page.goto(pages.documents('Naps'))
  await button('Import references').click()
  await page.getByRole('menuitem', { name: /^From a file…/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Import references' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dropOnPage(page, 'embase.ris', await readFile(fixture('embase.ris'), 'utf8'))
  const embase = dialog.getByRole('region', { name: 'embase.ris' })
  await embase.getByText('1 record').waitFor()
  await embase.getByText('Copper surfaces and hospital-acquired infections').first().waitFor()
  expect(await embase.getByRole('combobox', { name: 'Format of embase.ris' }).textContent()).toBe('RIS')
  await embase.getByLabel('Source', { exact: true }).fill('Embase')
  await embase.getByRole('textbox', { name: 'Search', exact: true }).fill('copper*')

  // The next file begins with the source of the last one.
  await dialog.getByLabel('Reference files').setInputFiles(fixture('asreview.csv'))
  const csv = dialog.getByRole('region', { name: 'asreview.csv' })
  await csv.getByText('3 records').waitFor()
  expect(await csv.getByLabel('Source', { exact: true }).inputValue()).toBe('Embase')
  expect(await csv.getByRole('textbox', { name: 'Search', exact: true }).inputValue()).toBe('copper*')
  const title = csv.getByRole('combobox', { name: 'Field of title' })
  expect(await title.textContent()).toBe('Title')
  await title.click()
  await page.getByRole('option', { name: 'Not imported' }).click()
  await csv.getByText('No title').first().waitFor()
  await title.click()
  await page.getByRole('option', { name: 'Title', exact: true }).click()
  await csv.getByText('Reading order').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove asreview.csv' }).click()
  await dialog.getByLabel('Reference files').setInputFiles({
    name: 'letter.txt',
    mimeType: 'text/plain',
    buffer: await readFile(fixture('../paper.txt')),
  })
  await dialog.getByText('Lectern cannot read this file.').waitFor()

  await dialog.getByRole('button', { name: 'Import 1 record' }).click()
  // A notice stays while the pointer is over it.
  await page.getByText('Imported: 1 new, 0 joined with papers you have, 0 failed').hover()
  // The file that was not imported stays visible with its error.
  await dialog.getByText('1 file not imported. Each file shows its reason.').waitFor()
  await dialog.getByRole('region', { name: 'letter.txt' }).getByText('Lectern cannot read this file.').waitFor()
  expect(await dialog.getByRole('region', { name: 'embase.ris' }).count()).toBe(0)
  await dialog.getByText('Close', { exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await button('Details').click()
  await page.getByRole('heading', { name: /^Embase/ }).waitFor()
  await button('Show the record as it was').click()
  await page.getByRole('region', { name: 'Record 1 as it was' }).getByText('AU - Okafor I.M.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button('Undo import').click()
  const question = page.getByRole('alertdialog')
  await question.getByText('1 paper that nothing else uses is deleted; 0 papers stay.').waitFor()
  await question.getByRole('button', { name: 'Undo import' }).click()
  await page.getByText(/^Undone on/).waitFor()
  await button('Undo import').waitFor({ state: 'detached' })
  // Papers of an undone import remain if they were restored, or if the undo was interrupted.
  const { data: trash } = await ada.json<{ data: Trash }>(api.trash())
  await ada.json(api.documentRestore(trash.documents[0]!.id), { method: 'POST' })
  await button('Delete remaining papers').click()
  await question.getByText('1 paper that nothing else uses is deleted; 0 papers stay.').waitFor()
  await question.getByRole('button', { name: 'Delete papers' }).click()
  await button('Delete remaining papers').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: '← Back to imports' }).click()
  const row = page.getByRole('row', { name: 'Embase' })
  await row.getByText('embase.ris').waitFor()
  await row.getByText(/^Undone on/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

it('A second column that is chosen before the preview of the first one arrives keeps both choices (FMT-26)', async () => {
  const { page } = await signedInPage(browser, ada)
  await page.goto(pages.documents('Naps'))
  await page.getByRole('button', { name: 'Import references' }).waitFor()
  await dropOnPage(page, 'own.csv', 'title,Who,When\nNaps,"Lovelace, Ada",2021\n')
  const csv = page.getByRole('dialog', { name: 'Import references' }).getByRole('region', { name: 'own.csv' })
  const field = (column: string) => csv.getByRole('combobox', { name: `Field of ${column}` })
  const choose = async (column: string, name: string) => {
    await field(column).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await csv.getByText('1 record').waitFor()
  const { promise: bothChosen, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**${api.importPreview()}`, async (route) => {
    await bothChosen
    await route.continue()
  })
  await choose('Who', 'Authors')
  await choose('When', 'Year')
  expect(await field('Who').textContent()).toBe('Authors')
  release()
  await csv.getByText('Ada Lovelace, 2021').waitFor()
  expect([await field('Who').textContent(), await field('When').textContent()]).toEqual(['Authors', 'Year'])
})

it('A file is imported only when the date of its search is a date or empty (FMT-03)', async () => {
  const { page } = await signedInPage(browser, ada)
  await page.goto(pages.documents('Naps'))
  await page.getByRole('button', { name: 'Import references' }).waitFor()
  await dropOnPage(page, 'own.ris', 'TY  - JOUR\nTI  - Naps\nER  - \n')
  const dialog = page.getByRole('dialog', { name: 'Import references' })
  const start = dialog.getByRole('button', { name: 'Import 1 record' })
  const day = dialog.getByLabel('Date of the search')
  await start.waitFor()
  await day.fill('soon')
  await expect.poll(() => start.isDisabled()).toBe(true)
  await day.fill('')
  await expect.poll(() => start.isDisabled()).toBe(false)
})

it('The records of an import name a moved paper, and show no paper of a skipped record (FMT-06)', async () => {
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Moved' } })
  const job = await importReferences(ada, project.id, { 'own.ris': 'TY  - JOUR\nTI  - Naps of nurses\nER  - \n' })
  const [id] = (job.result as { import_ids: string[] }).import_ids
  const { data } = await ada.json<{ data: ImportRecordRow[] }>(api.importRecords(id!))
  await ada.json(api.document(data[0]!.document!.id), { method: 'PATCH', body: { project_id: null } })
  // Only an import from Zotero has skipped records.
  const skip = `insert into import_records (import_id, project_id, position, outcome) values ($1, $2, 2, 'skipped')`
  await inDatabase(server, skip, [id!, project.id])
  const { page } = await signedInPage(browser, ada)
  await page.goto(pages.import('Moved', id!))
  const paperOf = (record: string) => page.getByRole('row', { name: record }).getByRole('cell').nth(4)
  await paperOf('Naps of nurses').waitFor()
  expect(await paperOf('Naps of nurses').textContent()).toBe('Deleted or moved')
  expect(await paperOf('Record 2').textContent()).toBe('—')
})
