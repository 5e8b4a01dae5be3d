import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Prompt } from '#shared/contract/prompts.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests lists of an administrator with more rows than a page: all pages, in order, with the number of all rows. */

const ROWS = 125
const LIMIT = 50

let server: TestServer
let admin: Client
let promptId: string
beforeAll(async () => {
  server = await startServer()
  admin = await signUpAdmin(server)
  promptId = (await admin.json<{ data: Prompt[] }>(api.prompts())).data[0]!.id
})
afterAll(() => server.stop())

const fill = (statement: string, values: unknown[] = []) => inDatabase(server, statement, values)

/** Reads all pages of a list, and compares `field` of its rows with `values`, in the order of the list. */
async function expectPages(path: string, field: string, values: unknown[]): Promise<void> {
  const found: unknown[] = []
  for (let page = 1; page <= Math.ceil(values.length / LIMIT) + 1; page += 1) {
    const { data, count } = await admin.json<{ data: Record<string, unknown>[]; count: number }>(
      `${path}?page=${page}&limit=${LIMIT}`,
    )
    expect(count).toBe(values.length)
    expect(data.length).toBe(Math.max(0, Math.min(LIMIT, values.length - (page - 1) * LIMIT)))
    found.push(...data.map((row) => row[field]))
  }
  expect(found).toEqual(values)
}

const numbers = Array.from({ length: ROWS }, (_, at) => at + 1)

describe('lists with more rows than a page', () => {
  it('The list of exclusions has every entry on exactly one page, the latest first', async () => {
    await fill(
      `insert into excluded_journals (openalex_id, journal_name, excluded_at)
       select 'S' || n, 'J', now() + n * interval '1 second' from generate_series(1, $1::int) n`,
      [ROWS],
    )
    await expectPages(
      api.adminExcluded(),
      'openalex_id',
      numbers.toReversed().map((n) => `S${n}`),
    )
    expect((await admin.json<{ data: unknown[] }>(api.adminExcluded())).data).toHaveLength(ROWS)
  })

  it('The list of journal updates has every run on exactly one page, the newest first', async () => {
    await fill(
      `insert into journal_imports (status, processed, started_at, finished_at)
       select 'completed', n, now() + n * interval '1 second', now() from generate_series(1, $1::int) n`,
      [ROWS],
    )
    await expectPages(api.adminUpdateJournals(), 'totalProcessed', numbers.toReversed())
  })

  it('The list of prompt versions has every version on exactly one page, the latest first', async () => {
    for (let version = 2; version <= ROWS; version += 1)
      await fill(`update prompt_library set prompt = $1 where id = $2`, [`Words ${version}`, promptId])
    await expectPages(api.promptVersions(promptId), 'version', numbers.toReversed())
  })

  it('The list of prices has first the models with a set price, then other models that were called', async () => {
    const name = (n: number) => `model-${String(n).padStart(3, '0')}`
    await fill(
      `insert into ai_prices (model, dollars_in, dollars_out)
       select 'model-' || lpad(n::text, 3, '0'), n, n from generate_series(1, $1::int) n where n % 2 = 0`,
      [ROWS],
    )
    await fill(
      `insert into ai_usage_daily (day, person, model, purpose, calls, failed, tokens_in, tokens_out, cost_usd)
       select current_date, '', 'model-' || lpad(n::text, 3, '0'), 'answer', 1, 0, 1, 1, 0 from generate_series(1, $1::int) n`,
      [ROWS],
    )
    await expectPages(api.adminPrices(), 'model', [
      ...numbers.filter((n) => n % 2 === 0).map(name),
      ...numbers.filter((n) => n % 2 === 1).map(name),
    ])
    const { data } = await admin.json<{ data: { model: string; dollars_in: number; source: string }[] }>(
      `${api.adminPrices()}?page=1&limit=1`,
    )
    expect(data).toMatchObject([{ model: 'model-002', dollars_in: 2, source: 'set' }])
  })

  it('The list of failing feeds has every feed on exactly one page, the most failures first', async () => {
    const { data: project } = await admin.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Reading' } })
    await fill(
      `with feed as (
         insert into feeds (url, failures, last_error, next_fetch_at)
         select 'https://example.org/' || n, n, 'HTTP 500', now() + interval '1 day' from generate_series(1, $1::int) n
         returning url
       ), journal as (
         insert into journals (name, rss_feed_url) select url, url from feed returning id
       )
       insert into user_rss_subscription (user_id, journal_id, project_id) select $2, id, $3 from journal`,
      [ROWS, admin.userId, project.id],
    )
    await expectPages(api.adminFailingFeeds(), 'failures', numbers.toReversed())
  })
})
