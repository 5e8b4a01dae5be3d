import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let ada: Client

beforeAll(async () => {
  ada = await signUp(server.url)
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

it('The overview links to quotes without a place, and a user chooses other words for them (FND-22)', async () => {
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  const body = { project_id: project, title: 'Naps in nurses' }
  const { id } = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document
  const setText = (text: string) =>
    ada.json(api.documentText(id), {
      method: 'PUT',
      body: { extracted_text: `[Page 1]\nWe studied sleep. ${text} Further work is needed.`, method: 'text' },
    })
  const quote = 'Naps improved recall in nurses.'
  await setText(quote)
  await inDatabase(
    server,
    `insert into evidence (project_id, created_by, document_id, subject_kind, subject_id, visibility, text_version, page,
      start_offset, end_offset, quote, prefix, suffix, match, score)
     select $1, $2, id, 'message', gen_random_uuid(), 'project', text_version, 1, 18, 49, $4, 'We studied sleep. ',
      ' Further work is needed.', 'exact', 1 from documents where id = $3`,
    [project, ada.userId, id, quote],
  )
  const { page, problems } = await signedInPage(browser, ada)
  await page.goto('/Naps/overview')
  await page.getByRole('heading', { name: 'Naps', exact: true }).waitFor()
  await setText('Short naps in the afternoon made nurses remember more words.')
  await page.getByRole('link', { name: '1 lost place' }).waitFor()
  await page.goto(pages.document('Naps', id))
  await page.getByText('no longer contains one quote of an answer').waitFor()
  await page.getByRole('link', { name: 'Show the lost places' }).click()
  await page.getByRole('heading', { name: 'Lost places' }).waitFor()
  await page.getByText(`“${quote}”`).waitFor()
  await page.getByText('formerly p. 1').waitFor()
  await page.getByRole('button', { name: 'Choose a place' }).click()
  await page.getByRole('button', { name: 'Use these words' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const words = page.getByLabel('Other words of the paper')
  await words.fill('Tea is bad.')
  await page.getByRole('button', { name: 'Use these words' }).click()
  await page.getByText('These words are not in the text of this paper.').waitFor()
  await words.fill('nurses remember more words')
  await page.getByRole('button', { name: 'Use these words' }).click()
  await page.getByText('No lost places.').waitFor()
  expect(problems.filter((problem) => !problem.includes('422'))).toEqual([])
})
