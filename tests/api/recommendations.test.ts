import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OpenAlexServer, startOpenAlexServer } from '#tests/helpers/openalex-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import type { AddedRecommendation, Recommendation, RecommendedPaper } from '#shared/contract/recommendations.ts'

const QUESTION = 'Does sleep after learning protect declarative memory in adults?'

let server: TestServer
let openalex: OpenAlexServer
let ada: Client
let bob: Client

beforeAll(async () => {
  openalex = await startOpenAlexServer()
  server = await startServer({ env: openalex.env })
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  await openalex.stop()
})
beforeEach(() => openalex.reset())

let projects = 0
async function newProject(research_question: string | null = QUESTION): Promise<string> {
  const name = `Project ${(projects += 1)}`
  return (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name, research_question } })).data.id
}
const start = async (project_id: string) =>
  (await ada.json<{ data: Job }>(api.recommendationsGenerate(), { body: { project_id } })).data
const generate = async (project: string) => ada.job((await start(project)).id)
const list = async (project_id: string, status?: 'pending' | 'rejected') =>
  (
    await ada.json<{ data: Recommendation[]; count: number }>(
      api.recommendations({ project_id, ...(status ? { status } : {}) }),
    )
  ).data
const dois = (rows: readonly { doi_link: string | null }[]) =>
  rows.map(({ doi_link }) => doi_link?.split('10.5555/')[1])
const change = (id: string, status: string, client = ada) =>
  client.fetch(api.recommendation(id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })

describe('generating', () => {
  it('The search recommends real works for the question, best first, with reasons (DISC-04, API-39, API-40, STATE-22)', async () => {
    const project = await newProject()
    const job = await generate(project)
    expect(job).toMatchObject({ status: 'completed', kind: 'research', project_id: project })
    const rows = await list(project)
    expect(job.result).toMatchObject({ added: rows.length, model: 'built-in' })
    const ripples = rows.find(({ title }) => title.startsWith('Overnight change'))
    expect(ripples).toMatchObject({
      project_id: project,
      owner_id: ada.userId,
      status: 'pending',
      doi_link: 'https://doi.org/10.5555/ripples.2026',
      pdf_link: 'https://example.org/ripples.pdf',
      publication_date: '2026-10-28',
      authors: ['Ada Lovelace', 'Mary Somerville'],
      journal_name: 'Journal of Sleep',
      open_access: true,
      why: { terms: ['declarative memory', 'adults', 'sleep', 'learning'], like: null },
    })
    expect(ripples?.abstract).toMatch(/^Eleven patients .* in adults\.$/)
    // A paper that answers the question is before a paper that is only about sleep.
    const order = dois(rows)
    expect(order.indexOf('ripples.2026')).toBeLessThan(order.indexOf('motor.2023'))
  })

  it('The search leaves out retracted works, works that are not papers, and duplicates (DISC-04)', async () => {
    // The service ignores its filters, so the product must filter.
    openalex.misbehave({ unfiltered: true })
    const project = await newProject()
    await generate(project)
    const found = dois(await list(project))
    expect(found).not.toContain('retracted.2022')
    expect(found).not.toContain('dataset.2024')
    expect(found.filter((doi) => doi?.startsWith('naps'))).toHaveLength(1)
  })

  it('The search uses the cursor, the key, the contact address and only the needed fields (DISC-04, API-49)', async () => {
    const from = openalex.seen.length
    await generate(await newProject())
    const calls = openalex.seen.slice(from).filter(({ query }) => query.has('search'))
    expect(calls.length).toBeGreaterThan(1)
    for (const { query, agent } of calls) {
      expect(Object.fromEntries(query)).toMatchObject({ api_key: 'openalex-key', mailto: 'library@example.org' })
      expect(query.get('cursor')).toBeTruthy()
      expect(query.get('select')).toContain('abstract_inverted_index')
      expect(query.get('filter')).toContain('is_retracted:false')
      expect(agent).toContain('mailto:library@example.org')
    }
    expect(calls[0]!.query.get('search')).toBe('(declarative memory) AND adults AND sleep AND learning')
  })

  it('The search returns no work that is pending, dismissed or in the project (STATE-23, DISC-05)', async () => {
    const project = await newProject()
    const title = 'Spindles, slow waves and declarative memory in older adults'
    const stored = { project_id: project, title, doi: 'https://doi.org/10.5555/SPINDLES.2019', date: '2019-06-01' }
    const { document } = (await ada.json<{ data: AddedPaper }>(api.papers(), { body: stored })).data
    await generate(project)
    const first = await list(project)
    expect(dois(first)).not.toContain('spindles.2019')
    expect(first.find(({ why }) => why?.like)?.why?.like).toEqual({ document_id: document.id, title })
    expect((await change(first[0]!.id, 'rejected')).status).toBe(200)
    const again = await generate(project)
    expect(again.result).toMatchObject({ added: 0 })
    expect(await list(project)).toHaveLength(first.length - 1)
    expect((await list(project, 'rejected')).map(({ id }) => id)).toEqual([first[0]!.id])
    // A dismissal can be undone.
    expect((await change(first[0]!.id, 'pending')).status).toBe(200)
    expect(await list(project)).toHaveLength(first.length)
    // A deleted paper is no longer named.
    await ada.json(api.document(document.id), { method: 'DELETE' })
    expect((await list(project)).filter(({ why }) => why?.like)).toEqual([])
  })

  it('The search removes works that were retracted since they were recommended (STATE-23)', async () => {
    const project = await newProject()
    await generate(project)
    expect(dois(await list(project))).toContain('slowwaves.2016')
    const work = openalex.works.find(({ doi }) => doi === '10.5555/slowwaves.2016')!
    work.retracted = true
    await generate(project)
    work.retracted = false
    expect(dois(await list(project))).not.toContain('slowwaves.2016')
    expect(await list(project, 'rejected')).toEqual([])
  })

  it('The search is refused without a question, and a second click returns the running one (MSG-67)', async () => {
    const silent = await newProject('  ')
    const response = await ada.fetch(api.recommendationsGenerate(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: silent }),
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: { message: 'No research question found' } })
    openalex.misbehave({ slowMs: 300 })
    const project = await newProject()
    const [one, two] = await Promise.all([start(project), start(project)])
    expect(one.id).toBe(two.id)
    await ada.job(one.id)
  })
})

describe('OpenAlex misbehaves', () => {
  it.each([
    [
      'is overloaded for long',
      { status: 429, headers: { 'retry-after': '3600' } },
      'OpenAlex asks to slow down. Please try again later.',
    ],
    [
      'has answered enough for today',
      { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
      'OpenAlex asks to slow down. Please try again later.',
    ],
    ['refuses the key', { status: 403 }, 'OpenAlex refuses this installation’s key.'],
    ['answers something else', { schema: 'changed' }, 'OpenAlex gave an answer that does not follow the protocol.'],
    [
      'answers a page of a firewall',
      { body: '<html>Blocked</html>' },
      'OpenAlex gave an answer that does not follow the protocol.',
    ],
  ] as const)('%s: the job reports it and nothing is stored (MSG-65)', async (_, how, message) => {
    openalex.misbehave(how)
    const project = await newProject()
    expect(await generate(project)).toMatchObject({ status: 'failed', error: message })
    expect(await list(project)).toEqual([])
  })

  it.each([
    ['503 once', { status: 503, times: 1 }],
    ['429 with a short wait', { status: 429, headers: { 'retry-after': '0' }, times: 2 }],
    ['a cursor that stays', { cursor: 'same' }],
    ['a new cursor for the same page', { cursor: 'new' }],
  ] as const)('%s: the papers are stored (DISC-04)', async (_, how) => {
    openalex.misbehave(how)
    const from = openalex.seen.length
    const project = await newProject()
    expect(await generate(project)).toMatchObject({ status: 'completed' })
    expect((await list(project)).length).toBeGreaterThan(3)
    expect(openalex.seen.length - from).toBeLessThan(20)
  })

  it('The search ends without a recommendation when OpenAlex sends empty pages without end (DISC-04)', async () => {
    openalex.misbehave({ empty: true })
    const project = await newProject()
    expect(await generate(project)).toMatchObject({ status: 'completed', result: { added: 0, found: 0 } })
  })

  it('The search can be cancelled while OpenAlex sends no bytes (DISC-04)', async () => {
    openalex.misbehave({ hang: true })
    const project = await newProject()
    const from = openalex.seen.length
    const job = await start(project)
    while (openalex.seen.length === from) await new Promise((resume) => setTimeout(resume, 20))
    await ada.json(api.jobCancel(job.id), { body: {} })
    expect(await ada.job(job.id)).toMatchObject({ status: 'failed', error: 'Cancelled' })
  })
})

describe('lists and single recommendations', () => {
  it('A list of papers is stored, each paper once, and one is added to the project (API-41)', async () => {
    const project = await newProject()
    const paper = {
      title: 'A long enough title of a paper on sleep',
      publication_date: '2025-01-02',
      abstract: 'Short.',
      doi_link: '10.5555/a',
      pdf_link: null,
    }
    const body = {
      project_id: project,
      papers: [
        paper,
        { ...paper, doi_link: null },
        { ...paper, doi_link: null, title: 'Something else entirely here' },
      ],
    }
    const stored = await ada.json<{ data: Recommendation[]; count: number }>(api.recommendations(), { body })
    expect(stored.count).toBe(2)
    expect(await list(project)).toHaveLength(2)
    const first = (await list(project))[0]!
    expect(first).toMatchObject({ doi_link: 'https://doi.org/10.5555/a', status: 'pending' })
    const added = await ada.json<{ data: AddedRecommendation }>(api.recommendationDocument(first.id), {
      method: 'POST',
    })
    expect(added.data).toMatchObject({ created: true, document: { title: paper.title, project_id: project } })
    expect(added.data.recommendation.document_id).toBe(added.data.document.id)
    expect((await list(project)).map(({ title }) => title)).toEqual(['Something else entirely here'])
    const again = await ada.json<{ data: AddedRecommendation }>(api.recommendationDocument(first.id), {
      method: 'POST',
    })
    expect(again.data).toMatchObject({ created: false, document: { id: added.data.document.id } })
  })

  it('A paper whose day OpenAlex does not know is added with its year only', async () => {
    const work = openalex.works.find(({ doi }) => doi === '10.5555/slowwaves.2016')!
    const { date } = work
    const project = await newProject()
    try {
      work.date = '2016-01-01'
      await generate(project)
    } finally {
      work.date = date
    }
    const { id } = (await list(project)).find(({ doi_link }) => doi_link?.endsWith('/slowwaves.2016'))!
    const added = await ada.json<{ data: AddedRecommendation }>(api.recommendationDocument(id), { method: 'POST' })
    expect(added.data.document).toMatchObject({ publication_date: null, ref_year: 2016, journal_name: work.journal })
  })

  it('Recommendations are visible to their user only, who can change them (SEC-08, SEC-09)', async () => {
    const project = await newProject()
    const body = { project_id: project, papers: [{ title: 'A paper of Ada’s' }] }
    const { data } = await ada.json<{ data: Recommendation[] }>(api.recommendations(), { body })
    const id = data[0]!.id
    expect((await bob.fetch(api.recommendations({ project_id: project }))).status).toBe(404)
    expect((await change(id, 'rejected', bob)).status).toBe(404)
    expect((await bob.fetch(api.recommendationDocument(id), { method: 'POST' })).status).toBe(404)
    expect((await list(project)).map((row) => row.id)).toEqual([id])
  })
})

describe('research-agent', () => {
  const call = async (body: unknown, client = ada) => {
    const response = await client.fetch(functionPath('research-agent'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as never }
  }

  it('The call research-agent answers the papers and stores nothing (FUNC-14)', async () => {
    const project_id = await newProject(null)
    const { status, body } = await call({ research_question: QUESTION, project_id })
    expect(status).toBe(200)
    const { papers } = (body as { data: { final_output: { papers: RecommendedPaper[] } } }).data.final_output
    expect(papers.find(({ doi_link }) => doi_link?.endsWith('cues.2026'))).toEqual({
      title: 'Spindle-locked sound cues during sleep in adults with mild cognitive impairment',
      publication_date: '2026-10-09',
      abstract: expect.stringMatching(/^Cues played at the peak/) as string,
      doi_link: 'https://doi.org/10.5555/cues.2026',
      pdf_link: 'https://example.org/cues.pdf',
    })
    expect(await list(project_id)).toEqual([])
  })

  it('The call research-agent refuses a request without a question, with a project of another user, and without OpenAlex (FUNC-15, FUNC-04)', async () => {
    const project_id = await newProject()
    expect(await call({ research_question: ' ', project_id })).toEqual({
      status: 422,
      body: { error: 'No research question found' },
    })
    expect(await call({ research_question: QUESTION, project_id }, bob)).toEqual({
      status: 404,
      body: { error: 'Project not found' },
    })
    openalex.misbehave({ status: 403 })
    expect(await call({ research_question: QUESTION, project_id })).toEqual({
      status: 502,
      body: { error: 'OpenAlex refuses this installation’s key.' },
    })
  })
})
