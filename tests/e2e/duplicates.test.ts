import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { type Client, signUp } from '#tests/helpers/client.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** Pairs of titles of the same paper in two databases. The pair with the most similar titles is first. */
const TITLES = [
  ['Caffeine and alertness of nurses on winter night shifts', 'Caffeine and alertness of nurses on winter nightshifts'],
  ['Sleep spindles and the consolidation of pairs', 'Sleep spindles and consolidation of pairs'],
  ['Targeted memory reactivation in four laboratories', 'Targeted memory reactivations in the four laboratories'],
] as const
const COMPARED = 6

const server = sharedServer()
let browser: Browser
let ada: Client
let ben: Client
let project: string
beforeAll(async () => {
  browser = await openBrowser()
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  const insert = `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`
  await inDatabase(server, insert, [project, ben.userId])
  const ris = (column: 0 | 1) =>
    TITLES.map(
      (titles, at) => `TY  - JOUR\nTI  - ${titles[column]}\nAU  - Marlowe, Ines\nVL  - ${column + at}\nER  - \n`,
    )
  await importReferences(ada, project, { 'embase.ris': ris(0).join('') }, { source_name: 'Embase' })
  await importReferences(ada, project, { 'pubmed.ris': ris(1).join('') }, { source_name: 'PubMed' })
  await ada.job((await ada.json<{ data: Job }>(api.duplicatesSearch(), { body: { project_id: project } })).data.id)
})
afterAll(() => closeContexts(browser))

const open = async (page: Page, left: string) => {
  await page.goto(pages.duplicates('Naps'))
  await page.getByRole('heading', { level: 1, name: `Duplicates ${left} left` }).waitFor()
}
const titles = async () => {
  const list = await ada.json<{ data: DocumentRow[] }>(api.documents({ project_id: project, limit: 50 }))
  return list.data.map(({ title }) => title)
}

it('A viewer sees the groups of duplicates without the buttons that answer (FMT-08)', async () => {
  const { page, context } = await signedInPage(browser, ben, { width: 390, height: 844 })
  await open(page, '3 groups')
  expect(await page.getByRole('button', { name: /Join|Not duplicates|Later|Look for duplicates/ }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
})

it('A failed search for duplicates shows its error to the user who started it', async () => {
  const { page, context } = await signedInPage(browser, ada)
  await open(page, '3 groups')
  const { data } = await ada.json<{ data: Job[] }>(api.jobs({ project_id: project, kind: 'duplicates' }))
  const failed = { ...data[0], status: 'failed', error: 'The search took too long.' }
  await page.route(`**${api.duplicatesSearch()}`, (route) => route.fulfill({ status: 202, json: { data: failed } }))
  await page.getByRole('button', { name: 'Look for duplicates' }).click()
  const notices = page.getByRole('region', { name: 'Notifications' })
  await expect.poll(() => notices.textContent()).toContain('ErrorThe search took too long.')
  await context.close()
})

it('Keys join, refuse and postpone the suspected duplicates of two imports, and a join is undone on the page of the paper (FMT-08, FMT-45, FMT-46)', async () => {
  const { page, problems } = await signedInPage(browser, ada)
  const left = (count: string) => page.getByRole('heading', { level: 1, name: `Duplicates ${count} left` }).waitFor()
  const group = (title: string) => page.getByRole('article', { name: new RegExp(`^${title}`) })
  const isCurrent = (title: string) => group(title).and(page.locator('[aria-current=true]')).waitFor()
  await open(page, '3 groups')
  expect(await accessibilityProblems(page)).toEqual([])
  const order = await page.getByRole('article').evaluateAll((all) => all.map((one) => one.textContent))
  const [first, second, third] = order.map((text) => TITLES.find((both) => text.startsWith(both[0]))!)

  // L: the group comes after the others, and the next one is current.
  await isCurrent(first![0])
  await page.keyboard.press('l')
  await isCurrent(second![0])
  await group(first![0]).getByText('Later', { exact: true }).first().waitFor()

  // N: the pair is remembered as no duplicates, and its group disappears.
  await page.keyboard.press('n')
  await left('2 groups')
  await isCurrent(third![0])

  // Right arrow: the values of the second paper. Up and down move between the groups.
  const chosen = (row: string) => group(third![0]).getByRole('radiogroup', { name: row }).getByRole('radio').nth(1)
  expect(await chosen('Title').isChecked()).toBe(false)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => chosen('Title').isChecked()).toBe(true)
  expect(await chosen('Volume').isChecked()).toBe(true)
  await page.keyboard.press('ArrowDown')
  await isCurrent(first![0])
  await page.keyboard.press('ArrowUp')
  await isCurrent(third![0])
  await page.keyboard.press('j')
  await page.getByText('2 papers joined', { exact: true }).waitFor()
  await left('1 group')
  expect(await titles()).toHaveLength(COMPARED - 1)
  expect(await titles()).not.toContain(third![0])

  // The last group is joined; the empty list reports the last comparison.
  await isCurrent(first![0])
  await page.keyboard.press('j')
  await page.getByText('No duplicates found.').waitFor()
  await page.getByText(/ records? (?:was|were) last compared on /).waitFor()
  expect(await page.getByRole('link', { name: 'Imports' }).getAttribute('href')).toBe(pages.imports('Naps'))
  expect(await accessibilityProblems(page)).toEqual([])

  await page.goto(pages.documents('Naps'))
  await page.getByRole('link', { name: third![1], exact: true }).click()
  await page.getByRole('heading', { name: 'Joined papers' }).waitFor()
  await page.getByRole('button', { name: `Undo the join of ${third![0]}` }).click()
  await page.getByText('Join undone', { exact: true }).waitFor()
  expect(await titles()).toEqual(expect.arrayContaining([...third!]))
  expect(problems).toEqual([])
})
