import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AddedStyle, CITEPROC } from '#shared/contract/citations.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let ada: Client
let page: Page
let id: string

beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
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

  await popover().getByRole('button', { name: 'Copy as BibTeX' }).click()
  await page.getByText('Copied as BibTeX', { exact: true }).waitFor()
  expect(await clipboard('text/plain')).toMatch(/^@article\{marlowenaps,\n[^]*journal = \{Journal of Sleep\}[^]*\}$/)

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
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Dismiss' }).click()
  expect(await clipboard('text/plain')).toMatch(/^1\.\s+Marlowe I\. Naps & recall/)
  expect(await clipboard('text/html')).toContain('Marlowe I. Naps &amp; recall')

  // Safari copies only if the call to the clipboard begins within the click, before the citations arrive.
  await page.evaluate(() => {
    const write = navigator.clipboard.write.bind(navigator.clipboard)
    navigator.clipboard.write = (items) => {
      document.documentElement.dataset['copying'] = 'true'
      return write(items)
    }
  })
  let beganWithClick = false
  await page.route(
    `**${api.citations()}`,
    async (route) => {
      const copying = page.locator('[data-copying]').waitFor({ state: 'attached', timeout: 20_000 })
      beganWithClick = await copying.then(
        () => true,
        () => false,
      )
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Copy citations' }).click()
  await page.getByText('Citation copied', { exact: true }).waitFor()
  expect(beganWithClick).toBe(true)

  // Italics are retained when a bibliography is pasted into a text editor.
  await page.goto(`/Naps/document/${id}`)
  await page.getByRole('button', { name: 'Cite', exact: true }).click()
  await popover().getByRole('button', { name: 'Style' }).click()
  await popover()
    .getByRole('option', { name: /^American Psychological Association/ })
    .click()
  await part('Bibliography').locator('i').waitFor()
  await part('Bibliography').getByRole('button', { name: 'Copy' }).click()
  await part('Bibliography').getByRole('button', { name: 'Copied' }).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate(() => {
    const editor = document.createElement('div')
    Object.assign(editor, { id: 'editor', contentEditable: 'true' })
    document.body.replaceChildren(editor)
    editor.focus()
  })
  await page.keyboard.press('Control+v')
  expect(await page.locator('#editor i, #editor em').allInnerTexts()).toEqual(['Journal of Sleep'])

  await page.goto('/settings')
  await page.getByRole('tab', { name: 'About' }).click()
  await page.getByText(CITEPROC.notice).waitFor()
})

it('The papers that the filter shows are exported in a chosen format (FMT-10, FMT-50)', async () => {
  await page.goto('/Naps/documents?search=recall')
  await page.getByRole('link', { name: /Naps & recall/ }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByRole('radio', { name: 'PubMed nbib' }).click()
  await dialog.getByRole('button', { name: 'Export 1 paper' }).click()
  await page.getByText('None of these papers has a PMID.').waitFor()
  await dialog.getByRole('radio', { name: 'BibLaTeX' }).click()
  await dialog.getByText('Write non-ASCII as LaTeX').click()
  expect(await accessibilityProblems(page)).toEqual([])
  const arriving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export 1 paper' }).click()
  const download = await arriving
  expect(download.suggestedFilename()).toMatch(/^Naps-\d{4}-\d\d-\d\d\.bib$/)
  expect(await readFile(await download.path(), 'utf8')).toContain('title = {Naps \\& recall}')
  await page.getByText('1 paper exported', { exact: true }).waitFor()
})

it('An admin adds a style, and a project cites in it by default (FMT-61, FMT-62)', async () => {
  const style = `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0"><info><title>House</title>
    <id>https://example.org/house</id></info><citation><layout><text value="House:"/><text variable="title" prefix=" "/>
    </layout></citation></style>`
  await page.goto('/admin/citation-styles')
  await page.getByText('No styles added.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const add = (text: string) =>
    page.getByLabel('Style file').setInputFiles({ name: 'house.csl', mimeType: 'text/xml', buffer: Buffer.from(text) })
  await add('<style/>')
  await page.getByText('This file is not a style of the Citation Style Language.').waitFor()
  await add(style)
  await page.getByRole('cell', { name: 'House https://example.org/house' }).waitFor()

  await page.goto('/Naps/overview')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit project' })
  await dialog.getByRole('button', { name: 'Citation style' }).click()
  await dialog.getByPlaceholder(/^Search/).fill('house')
  await dialog.getByRole('option', { name: 'House', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Project updated').waitFor()
  await page.goto(`/Naps/document/${id}`)
  await page.getByRole('button', { name: 'Cite', exact: true }).click()
  await part('In-text').getByText('House: Naps & recall').waitFor()
})

it('Papers are cited in the usual style after an admin deleted the default style of their project, or the last used style (FMT-62)', async () => {
  const added = async (name: string) => {
    const xml = `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0"><info><title>${name}</title>
      <id>https://example.org/${name}</id></info><citation><layout><text value="${name}"/></layout></citation></style>`
    return (await ada.json<{ data: AddedStyle }>(api.addedStyles(), { body: { xml } })).data
  }
  const [ofProject, lastUsed] = [await added('former'), await added('used')]
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
    body: { name: 'Styles', citation_style: ofProject.style_id },
  })
  const body = { project_id: project.id, title: 'Spindles', authors: ['Ana Ferreira'] }
  const paper = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
  for (const { id: style } of [ofProject, lastUsed]) await ada.json(api.addedStyle(style), { method: 'DELETE' })

  const citesInUsualStyle = async () => {
    await page.goto(`/Styles/document/${paper}`)
    await page.getByRole('button', { name: 'Cite', exact: true }).click()
    await part('In-text').getByText('(Ferreira, n.d.)').waitFor()
    await popover().getByRole('button', { name: 'Style' }).getByText('American Psychological Association').waitFor()
    await page.goto(`/Styles/document/${paper}/reference`)
    await page.getByRole('complementary', { name: 'About this reference' }).getByText('Ferreira, A. (n.d.)').waitFor()
  }
  await citesInUsualStyle()
  await page.goto('/Styles/overview')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit project' })
  await dialog.getByRole('button', { name: 'Citation style' }).getByText('Deleted style', { exact: true }).waitFor()
  await dialog.getByText('American Psychological Association', { exact: false }).waitFor()
  await dialog.getByLabel('Description').fill('Sleep')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Project updated', { exact: true }).waitFor()
  await page.goto('/Styles/documents')
  await page.getByRole('checkbox', { name: /Spindles/ }).click()
  await page.getByRole('button', { name: 'Copy citations' }).click()
  await page.getByText('Citation copied', { exact: true }).waitFor()
  expect(await clipboard('text/plain')).toContain('Ferreira, A. (n.d.). Spindles.')

  await ada.json(api.project(project.id), { method: 'PATCH', body: { citation_style: null } })
  const stored = JSON.stringify([lastUsed.style_id])
  await page.evaluate((styles) => localStorage.setItem('lectern.citation-styles', styles), stored)
  await citesInUsualStyle()
})
