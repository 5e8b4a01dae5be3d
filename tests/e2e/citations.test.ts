import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CITEPROC } from '#shared/contract/citations.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let page: Page
let id: string

beforeAll(async () => {
  server = await startServer()
  const ada = await signUp(server.url)
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  const body = { project_id: data.id, title: 'Naps & recall', authors: ['Ines Marlowe'] }
  id = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
  const facts = { publication_date: '2025-03-14', journal_name: 'Journal of Sleep' }
  await ada.json(api.document(id), { method: 'PATCH', body: facts })
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

const popover = () => page.getByRole('dialog', { name: 'Cite' })
const part = (name: string) => popover().getByRole('region', { name })
const clipboard = (type: string) =>
  page.evaluate(async (wanted) => {
    const [item] = await navigator.clipboard.read()
    return (await item!.getType(wanted)).text()
  }, type)

it('A paper is cited in a chosen style and language, and copied as HTML and as text (FMT-60, FMT-64)', async () => {
  await page.goto(`/Naps/document/${id}`)
  await page.getByRole('heading', { name: 'Naps & recall' }).waitFor()
  await page.keyboard.press('c')
  await part('In-text').getByText('(Marlowe, 2025)').waitFor()
  await part('Bibliography').getByText('Marlowe, I. (2025). Naps & recall.').waitFor()
  expect(await part('Bibliography').locator('i').allInnerTexts()).toEqual(['Journal of Sleep'])
  expect(await accessibilityProblems(page)).toEqual([])

  await part('Bibliography').getByRole('button', { name: 'Copy' }).click()
  await part('Bibliography').getByRole('button', { name: 'Copied' }).waitFor()
  expect(await clipboard('text/plain')).toBe('Marlowe, I. (2025). Naps & recall. Journal of Sleep.')
  expect(await clipboard('text/html')).toContain('<i>Journal of Sleep</i>')

  await popover().getByRole('button', { name: 'Copy citation key' }).click()
  await page.getByText('Citation key copied', { exact: true }).waitFor()
  expect(await clipboard('text/plain')).toBe('marlowenaps')

  await popover().getByRole('button', { name: 'Style' }).click()
  await popover().getByPlaceholder('Search 2,679 styles').fill('vancouver')
  await popover().getByRole('option', { name: 'Vancouver', exact: true }).click()
  await part('In-text').getByText('(1)').waitFor()
  await popover().getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'German (Germany)' }).click()
  await part('Bibliography').getByText('März 2025').waitFor()
  const source = popover().getByRole('link', { name: CITEPROC.source.label })
  expect(await source.getAttribute('href')).toBe(CITEPROC.source.address)

  await page.goto('/Naps/documents')
  await page.getByRole('checkbox', { name: /Naps & recall/ }).click()
  await page.getByRole('button', { name: 'Copy citations' }).click()
  await page.getByText('Citation copied', { exact: true }).waitFor()
  expect(await clipboard('text/plain')).toMatch(/^1\.\s+Marlowe I\. Naps & recall/)

  await page.goto('/settings')
  await page.getByRole('tab', { name: 'About' }).click()
  await page.getByText(CITEPROC.notice).waitFor()
})
