import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const paper = readFileSync(new URL('../fixtures/paper.pdf', import.meta.url))
const DOCUMENTS: [title: string, keywords: string[]][] = [
  ['Naps at noon', ['Sleep', 'naps']],
  ['Naps at work', ['sleep']],
  ['Naps at sea', ['sleep']],
  ['Otters', ['otters']],
]

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client
let noon: string
let otters: string
beforeAll(async () => {
  ada = await signUp(server.url)
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), {
    body: { name: 'Naps' },
  })
  const ids: string[] = []
  for (const [title, keywords] of DOCUMENTS) {
    const { id } = await ada.upload(data.id, new File([paper], `${title}.pdf`, { type: 'application/pdf' }))
    await ada.json(api.document(id), {
      method: 'PATCH',
      body: { title, keywords },
    })
    ids.push(id)
  }
  noon = ids[0]!
  otters = ids[3]!
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(() => closeContexts(browser))

const button = (name: string) => page.getByRole('button', { name, exact: true })
const keywordsOf = async (id: string) => (await ada.json<{ data: DocumentRow }>(api.document(id))).data.keywords
/** Returns the heading with these numbers of shown and all documents, such as '3 of 4' in 'Documents 3 of 4'. */
const heading = (numbers: string) =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: new RegExp(`Documents\\s*${numbers}$`) })

it('Keywords in two cases are one choice in the tag filter, which finds the documents of both', async () => {
  await page.goto('/Naps/documents')
  await button('Tags').click()
  const group = page.getByRole('group', { name: 'Tags' })
  await group.getByRole('checkbox').first().waitFor()
  const choices = (await group.locator('[data-slot=option]').allInnerTexts()).map((text) => text.split(/\s+/))
  expect(choices).toEqual([
    ['naps', '1'],
    ['otters', '1'],
    ['sleep', '3'],
  ])
  await group.getByRole('checkbox', { name: 'sleep' }).click()
  await page.keyboard.press('Escape')
  await heading('3 of 4').waitFor()
  expect(new URL(page.url()).search).toContain('sleep')
})

it('An address with a keyword in two other cases is one applied filter, in the spelling used most', async () => {
  await page.goto('/Naps/documents?tag=SLEEP&tag=Sleep')
  await button('1 selected').waitFor()
  await heading('3 of 4').waitFor()
  await button('Remove sleep').waitFor()
  const chips = page.getByRole('group', { name: 'Selected filters' }).locator('[data-slot=chip]')
  expect(await chips.count()).toBe(1)
  await button('1 selected').click()
  const choice = page.getByRole('group', { name: 'Tags' }).getByRole('checkbox', { name: 'sleep' })
  expect(await choice.isChecked()).toBe(true)
  await choice.click()
  await page.keyboard.press('Escape')
  await button('Tags').waitFor()
  expect(await chips.count()).toBe(0)
  expect(new URL(page.url()).search).toBe('')

  await page.goto('/Naps/documents?tag=SLEEP&tag=Sleep&tag=naps')
  await button('Remove sleep').click()
  await button('1 selected').waitFor()
  await heading('1 of 4').waitFor()
  expect(await chips.count()).toBe(1)
})

it('A keyword is suggested in the spelling used most, and a typed one is stored as it was typed', async () => {
  await page.goto(`/Naps/document/${otters}/edit`)
  const suggestions = page.getByRole('group', { name: 'Suggestions' }).getByRole('button')
  await expect.poll(() => suggestions.allInnerTexts()).toEqual(['naps', 'otters', 'sleep'])
  await page.getByRole('textbox', { name: 'Keywords' }).fill('NAPS')
  await page.keyboard.press('Enter')
  await suggestions.filter({ hasText: 'sleep' }).click()
  await button('Save Changes').click()
  await page.waitForURL(`**/Naps/document/${otters}`)
  expect(await keywordsOf(otters)).toEqual(['otters', 'NAPS', 'sleep'])
  expect(await keywordsOf(noon)).toEqual(['Sleep', 'naps'])
})
