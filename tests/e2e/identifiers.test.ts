import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { type ScholarServer, startScholarServer, status } from '#tests/helpers/scholar-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let scholar: ScholarServer
let browser: Browser
let ada: Client
let page: Page
let problems: string[]

const KNOWN = { DOI: '10.5555/sw.1', type: 'journal-article', title: ['Spindles after word learning'] }

beforeAll(async () => {
  scholar = await startScholarServer()
  server = await startServer({ env: scholar.env })
  ada = await signUp(server.url)
  await ada.json(api.projects(), { body: { name: 'Naps' } })
  scholar.setWork({
    ...KNOWN,
    author: [{ given: 'Bola', family: 'Idowu' }],
    'container-title': ['Sleep at Home'],
    issued: { 'date-parts': [[2026]] },
  })
  browser = await openBrowser()
  ;({ page, problems } = await signedInPage(browser, ada))
})
afterAll(async () => {
  await closeContexts(browser)
  await server?.stop()
  await scholar?.stop()
})

const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })

it('Pasted identifiers are looked up, listed with their state, and added (FMT-90)', async () => {
  await page.goto('/Naps/documents')
  await page.getByRole('button', { name: 'Import references' }).first().click()
  await page.getByRole('menuitem', { name: 'From identifiers…' }).click()
  scholar.set('/openalex/works/pmid:38552117', status(503, {}, 3, status(404)))
  const input = page.getByLabel('DOIs, PMIDs, PMCIDs, arXiv ids, ISBNs or addresses, one per line')
  await input.fill('10.5555/sw.1\n\n38552117\nhttps://doi.org/10.5555/SW.1\nnaps\n10.5555/unknown')
  await row('Idowu B. Sleep at Home, 2026').getByText('Found').waitFor()
  await row('38552117').getByText('OpenAlex failed (503). Please try again later.').waitFor()
  await row('10.5555/SW.1').getByText('Repeated').waitFor()
  await row('naps').getByText('Not recognized').waitFor()
  await page.getByText('5 of at most 500 lines').waitFor()
  await page.getByText('1 found, 1 repeated, 2 not found, 1 failed').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  await page.getByRole('button', { name: 'Retry 1 failed' }).click()
  await row('38552117').getByText('OpenAlex does not know this PMID.').waitFor()
  await row('38552117').getByRole('button', { name: 'Change the line' }).click()
  await page.keyboard.type('10.5555/sw.1')
  expect(await input.inputValue()).toContain('\n\n10.5555/sw.1\nhttps')

  await page.getByRole('button', { name: 'Add 1 paper' }).click()
  await page.getByText('1 paper added').waitFor()
  await page.getByRole('link', { name: KNOWN.title[0]! }).waitFor()

  await page.getByRole('button', { name: 'Import references' }).click()
  await page.getByRole('menuitem', { name: 'From identifiers…' }).click()
  await input.fill('10.5555/sw.1')
  await row('10.5555/sw.1').getByText('Already here').waitFor()
  await row('10.5555/sw.1').getByRole('link', { name: KNOWN.title[0]! }).waitFor()
  expect(await page.getByRole('button', { name: 'Add 0 papers' }).isDisabled()).toBe(true)
  expect(problems).toEqual([])
})

it('/add asks for the sign-in and the project, adds the paper, and remembers the project (FMT-91)', async () => {
  await ada.json(api.projects(), { body: { name: 'Memory' } })
  const opened = await newPage(browser, { baseURL: server.url })
  const add = opened.page
  await add.goto('/add?title=Spindles&text=Read%20https%3A%2F%2Fdoi.org%2F10.5555%2Fsw.1')
  await add.getByLabel('Email').fill(ada.email)
  await add.getByLabel('Password').fill(ada.password)
  await add.getByRole('button', { name: 'Sign In' }).click()
  await add.getByText('Idowu B. Sleep at Home, 2026').waitFor()
  await add.getByRole('combobox', { name: 'Project' }).click()
  await add.getByRole('option', { name: 'Naps' }).click()
  await add.getByText('Already here', { exact: true }).waitFor()
  await add.getByRole('combobox', { name: 'Project' }).click()
  await add.getByRole('option', { name: 'Memory' }).click()
  expect(await accessibilityProblems(add)).toEqual([])
  await add.getByRole('button', { name: 'Add 1 paper' }).click()
  await add.getByText('Added to Memory').waitFor()
  await add.getByRole('heading', { name: KNOWN.title[0]! }).waitFor()
  await ada.json(api.projects(), { body: { name: 'Newer' } })
  await add.goto('/add')
  await add.getByRole('combobox', { name: 'Project' }).getByText('Memory').waitFor()

  await add.goto('/settings')
  const link = add.getByRole('link', { name: 'Add to Lectern' })
  expect(await link.getAttribute('href')).toBe(
    `javascript:void open("${server.url}/add?url="+encodeURIComponent(location.href))`,
  )
  await link.click()
  await add.getByText('Drag this link to the bookmarks bar', { exact: true }).waitFor()
  expect(opened.problems).toEqual([])
})
