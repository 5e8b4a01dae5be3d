import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentPatch } from '#shared/contract/document-edits.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job, LiveEvent } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { type Profile, profilePatch } from '#shared/contract/profiles.ts'
import type { ProjectBudget, ProjectBudgetInput } from '#shared/contract/project-budgets.ts'
import { type Project, projectPatch } from '#shared/contract/projects.ts'
import { RIGHTS_OF } from '#shared/contract/roles.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { listenToEvents } from '#tests/helpers/event-listener.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const TEXT = '[Page 1]\nWalking helps. We asked two hundred adults to walk every day for a whole year.'

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** This file tests members of one project who work at the same time. */

let provider: OpenAiServer
let server: TestServer
let ada: Client
let ben: Client
let project: Project
let paper: DocumentDetail
beforeAll(async () => {
  provider = await startOpenAiServer({ models: [{ id: 'test-chat' }] })
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  project = (await ada.json<{ data: Project }>(api.projects(), { body: { name: 'Naps', tags: ['sleep'] } })).data
  await setRole('owner')
  const { id } = await ada.upload(project.id, new File([onePagePdf(['Naps help.'])], 'a.pdf'))
  paper = await patched(ada, api.document(id), { title: 'Naps', journal_name: 'Sleep' })
})
afterAll(async () => {
  await server?.stop()
  await provider?.stop()
})

/** Sets the role of the user Ben in the project by SQL, as if another server process had changed it. */
const setRole = (role: string) =>
  inDatabase(
    server,
    `insert into project_members (project_id, user_id, role) values ($1, $2, $3)
      on conflict (project_id, user_id) do update set role = excluded.role`,
    [project.id, ben.userId, role],
  )
const patched = async <T>(who: Client, path: string, body: object) =>
  (await who.json<{ data: T }>(path, { method: 'PATCH', body })).data
/** Sends a PATCH request. Returns the status and the error. */
async function patch(who: Client, path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await who.fetch(path, { method: 'PATCH', headers, body: JSON.stringify(body) })
  const { error } = (await response.json()) as { error?: Refusal }
  return { status: response.status, error }
}
interface Refusal {
  code: string
  fields?: Record<string, string>
  current?: Record<string, unknown>
}

describe('changes of the same row at the same time (SHR-30)', () => {
  it('A change of a field that another member changed meanwhile is refused with the current row, and stores nothing', async () => {
    const path = api.document(paper.id)
    const { version } = await patched<DocumentDetail>(ada, path, { title: 'Naps, by Ada', version: paper.version })
    expect(version).toBe(paper.version + 1)
    const refused = await patch(ben, path, { title: 'By Ben', summary: 'By Ben', version: paper.version })
    expect([refused.status, refused.error?.code, Object.keys(refused.error?.fields ?? {})]).toEqual([
      409,
      'changed',
      ['title'],
    ])
    expect(refused.error?.current).toMatchObject({ id: paper.id, title: 'Naps, by Ada', summary: null, version })
    expect(refused.error?.current).not.toHaveProperty('extracted_text')
    expect(await patched(ben, path, { title: 'By Ben', version })).toMatchObject({ title: 'By Ben' })
  })

  it('A change of other fields, of equal values and without a version is stored', async () => {
    const path = api.document(paper.id)
    const before = (await ada.json<{ data: DocumentDetail }>(path)).data
    await patched(ada, path, { title: 'New title', version: before.version })
    // The work of the server changes other columns.
    await inDatabase(server, `update documents set status = 'error', evidence_level = 'Level 1' where id = $1`, [
      paper.id,
    ])
    const body = { title: 'New title', summary: 'By Ben', version: before.version }
    expect(await patched(ben, path, body)).toMatchObject({ summary: 'By Ben', version: before.version + 3 })
    expect((await patch(ben, path, { evidence_level: 'Level 2', version: before.version })).status).toBe(409)
    expect(await patched(ben, path, { title: 'Without a version' })).toMatchObject({ title: 'Without a version' })
  })

  it('Twenty parallel writers of one field lose no change (SHR-30)', async () => {
    const path = api.document(paper.id)
    const write = async (word: string) => {
      let seen = (await ada.json<{ data: DocumentDetail }>(path)).data
      for (;;) {
        const { abstract, version } = seen
        const { status, error } = await patch(ada, path, { abstract: `${abstract} ${word}`, version })
        if (status === 200) return
        expect([status, error?.code]).toEqual([409, 'changed'])
        seen = error!.current as unknown as DocumentDetail
      }
    }
    const words = Array.from({ length: 20 }, (_, n) => `word${n}`)
    await patched(ada, path, { abstract: 'Words:' })
    await Promise.all(words.map(write))
    const { abstract } = (await ada.json<{ data: DocumentDetail }>(path)).data
    expect(abstract!.split(' ').toSorted()).toEqual(['Words:', ...words].toSorted())
  })

  // If a change were not counted, an edit with an earlier version would overwrite it without a notice.
  it.each([
    // The analysis and the steps of a document write these two; the form does not contain them.
    ['documents', documentPatch, ['status', 'analysis_model']],
    // Tags are not a column; server/projects counts their changes.
    ['projects', projectPatch, []],
    ['profiles', profilePatch, []],
  ])('A trigger counts the changes of the columns of %s that its form contains', async (table, schema, others) => {
    const [{ columns, counted } = {}] = (await inDatabase(
      server,
      `select array_agg(a.attname::text) as columns, array_agg(a.attname::text) filter (where a.attnum = any (t.tgattr)) as counted
       from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum > 0
       where t.tgrelid = $1::regclass and t.tgname = $2`,
      [table, `${table}_count_version`],
    )) as { columns?: string[]; counted?: string[] }[]
    const editable = Object.keys(schema.shape).filter((name) => columns!.includes(name) && name !== 'version')
    expect(editable.filter((name) => !counted!.includes(name))).toEqual(others)
  })

  it('Projects with their tags, and profiles, refuse a stale change', async () => {
    const path = api.project(project.id)
    const { version } = await patched<Project>(ada, path, { tags: ['sleep', 'naps'], version: project.version })
    const ofTags = await patch(ben, path, { tags: ['sleep'], description: 'By Ben', version: project.version })
    expect([ofTags.status, Object.keys(ofTags.error?.fields ?? {})]).toEqual([409, ['tags']])
    expect(ofTags.error?.current).toMatchObject({ description: null, version })
    expect(await patched(ben, path, { description: 'By Ben', version: project.version })).toMatchObject({
      description: 'By Ben',
      version: version + 1,
    })
    expect((await patch(ada, path, { description: 'By Ada', version })).status).toBe(409)
    const own = api.profile(ada.userId)
    const before = (await ada.json<{ data: Profile }>(own)).data
    await patched(ada, own, { bio: 'On the telephone', version: before.version })
    const refused = await patch(ada, own, { bio: 'On the computer', version: before.version })
    expect([refused.status, refused.error?.current]).toMatchObject([409, { bio: 'On the telephone' }])
    expect(refused.error?.current).not.toHaveProperty('field_versions')
  })
})

describe('a role that changes during the work of a member', () => {
  const lost = { status: 'failed', error: 'The member who started this work may no longer change the project.' }
  const jobOf = async (id: string) =>
    (await inDatabase(server, 'select status, error, error_code from jobs where id = $1', [id]))[0]
  const statusOf = async () => (await ada.json<{ data: DocumentDetail }>(api.document(paper.id))).data.status
  /** Starts an analysis as the user Ben. The analysis waits for the AI provider until `answer` is called. */
  async function startAnalysis() {
    const answer = Promise.withResolvers<void>()
    provider.always('chat', { kind: 'ok', after: answer.promise })
    const before = provider.requests.length
    const { data } = await ben.json<{ data: Job }>(api.documentAnalyze(paper.id), { body: {} })
    await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBeGreaterThan(before)
    expect(await statusOf()).toBe('processing')
    return { id: data.id, answer: answer.resolve }
  }

  it('The running job of a demoted member fails with a reason, and the status of its paper is settled', async () => {
    await ada.json(api.documentText(paper.id), { method: 'PUT', body: { extracted_text: TEXT, method: 'text' } })
    await setRole('editor')
    const stream = await listenToEvents(ben)
    const job = await startAnalysis()
    // The events of a job have the rights of their reader, as the job itself.
    const events = () => stream.received.filter(({ event }) => event === 'job').map(({ data }) => data)
    const queued = { status: 'queued', may: RIGHTS_OF.editor }
    await expect.poll(() => events()[0], { timeout: 60_000 }).toMatchObject(queued)
    await ada.json(api.projectMember(project.id, ben.userId), { method: 'PATCH', body: { role: 'viewer' } })
    expect(await ben.job(job.id)).toMatchObject({ ...lost, error_code: 'role' })
    expect(await statusOf()).toBe('completed')
    job.answer()
    await expect.poll(() => events().at(-1), { timeout: 60_000 }).toMatchObject({ status: 'failed', may: ['read'] })
    stream.close()
  })

  it('A job whose account loses the right in another process stores nothing and fails with the same reason', async () => {
    await setRole('editor')
    const job = await startAnalysis()
    await setRole('viewer')
    job.answer()
    expect(await ben.job(job.id)).toMatchObject({ ...lost, error_code: 'role' })
    const { status, analyzed_at } = (await ada.json<{ data: DocumentDetail }>(api.document(paper.id))).data
    expect([status, analyzed_at]).toEqual(['completed', null])
  })

  it('The running job of a removed member fails, and the status of its paper is settled', async () => {
    await setRole('editor')
    const job = await startAnalysis()
    await ada.json(api.projectMember(project.id, ben.userId), { method: 'DELETE' })
    expect(await jobOf(job.id)).toEqual({ ...lost, error_code: 'role' })
    expect(await statusOf()).toBe('completed')
    job.answer()
    provider.reset()
  })

  it('The answer to the question of a member ends when the member is removed', async () => {
    await ada.json(api.documentText(paper.id), { method: 'PUT', body: { extracted_text: TEXT } })
    const { data } = await ada.json<{ data: Job }>(api.documentVectorize(paper.id), { body: {} })
    await ada.job(data.id)
    await setRole('reviewer')
    const answer = Promise.withResolvers<void>()
    provider.always('chat', { kind: 'ok', after: answer.promise })
    const ask = (accept: string) =>
      ben.fetch(api.documentChat(paper.id), {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ question: 'Does walking help?' }),
      })
    const asked = () => provider.requests.filter(({ path }) => path.endsWith('/chat/completions')).length
    const before = asked()
    const whole = ask('application/json')
    const streamed = await ask('text/event-stream')
    expect(streamed.status).toBe(200)
    await expect.poll(() => asked() - before).toBe(2)
    await ada.json(api.projectMember(project.id, ben.userId), { method: 'DELETE' })
    const text = await streamed.text()
    expect(text).toContain('event: sources')
    expect(text).toMatch(/event: error\ndata: .*Document not found/)
    expect((await whole).status).toBe(404)
    answer.resolve()
    provider.reset()
  })

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A request answers 403 when the role changes between its check and its write',
    async () => {
      await setRole('editor')
      const other = new pg.Client({ connectionString: server.databaseUrl })
      await other.connect()
      /**
       * Sends a request of Ben that waits for a database lock after the check of his role. Meanwhile changes his role to
       * viewer, then releases the lock. Returns the status and the error code.
       */
      const duringRequest = async (lock: string, request: () => Promise<Response>) => {
        await setRole('editor')
        await other.query(`begin; ${lock}`)
        const answer = request()
        await expect.poll(() => inDatabase(server, WAITING), { timeout: 60_000 }).not.toEqual([])
        await setRole('viewer')
        await other.query('commit')
        const response = await answer
        return [response.status, ((await response.json()) as { error: Refusal }).error.code]
      }
      const send = (path: string, method: string, body: object) =>
        ben.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
      const row = `select from documents where id = '${paper.id}' for update`
      expect(await duringRequest(row, () => send(api.document(paper.id), 'PATCH', { title: 'Too late' }))).toEqual([
        403,
        'role',
      ])
      const form = new FormData()
      form.append('project_id', project.id)
      form.append('file', new File([onePagePdf(['Late.'])], 'late.pdf'))
      const upload = () => ben.fetch(api.documents(), { method: 'POST', body: form })
      expect(await duringRequest('lock table removed_files in exclusive mode', upload)).toEqual([403, 'role'])
      await other.end()
    },
  )
})

describe('the event streams of members (SHR-31)', () => {
  it('Streams of members follow the project; those of strangers and of removed members do not (SHR-31)', async () => {
    await setRole('editor')
    const eve = await signUp(server.url)
    const [ofBen, ofEve] = [await listenToEvents(ben), await listenToEvents(eve)]
    const here = (received: readonly LiveEvent[]) =>
      received
        .filter(({ data }) => JSON.stringify(data).includes(project.id))
        .map(({ event, data }) => ({ event, data }))
    const changed = { event: 'document', data: { id: paper.id, project_id: project.id, change: 'updated' } }
    const data = { id: project.id, change: 'updated', part: 'recommendations', by: ada.userId }
    await patched(ada, api.document(paper.id), { title: 'Followed' })
    const body = { project_id: project.id, papers: [{ title: 'A recommended paper' }] }
    await ada.json(api.recommendations(), { body })
    await expect.poll(() => here(ofBen.received), { timeout: 60_000 }).toEqual([changed, { event: 'project', data }])
    await ada.json(api.projectMember(project.id, ben.userId), { method: 'DELETE' })
    await patched(ada, api.document(paper.id), { title: 'Not followed' })
    // When later events of other projects arrive, the streams have passed the changes above.
    for (const [who, stream] of [
      [ben, ofBen],
      [eve, ofEve],
    ] as const) {
      const own = (await who.json<{ data: Project }>(api.projects(), { body: { name: `Own ${who.userId}` } })).data
      await expect
        .poll(() => stream.received.map((one) => one.data), { timeout: 60_000 })
        .toContainEqual({
          id: own.id,
          change: 'created',
        })
      stream.close()
    }
    const end = { event: 'project', data: { id: project.id, change: 'deleted' } }
    expect(here(ofBen.received)).toEqual([changed, { event: 'project', data }, end])
    expect(here(ofEve.received)).toEqual([])
  })
})

it('A document whose analysis is cancelled stays in processing while another step works on it', async () => {
  await ada.json(api.documentText(paper.id), { method: 'PUT', body: { extracted_text: TEXT, method: 'text' } })
  const answer = Promise.withResolvers<void>()
  provider.always('chat', { kind: 'ok', after: answer.promise })
  const status = async () => (await ada.json<{ data: DocumentDetail }>(api.document(paper.id))).data.status
  const cancelAnalysis = async () => {
    const { data } = await ada.json<{ data: Job }>(api.documentAnalyze(paper.id), { body: {} })
    await ada.json(api.jobCancel(data.id), { body: {} })
  }
  const [row] = await inDatabase(
    server,
    `insert into jobs (kind, status, created_by, document_id, project_id, input) values ('ocr', 'running', $1, $2, $3, '{}') returning id`,
    [ada.userId, paper.id, project.id],
  )
  await cancelAnalysis()
  expect(await status()).toBe('processing')
  await inDatabase(server, 'delete from jobs where id = $1', [row!['id']])
  await cancelAnalysis()
  expect(await status()).toBe('completed')
  answer.resolve()
  provider.reset()
})

it.skipIf(!process.env['TEST_DATABASE_URL'])(
  'A move of papers waits for a job that stores its result, before it locks the papers',
  async () => {
    const other = (await ada.json<{ data: Project }>(api.projects(), { body: { name: 'Other' } })).data.id
    const job = `insert into jobs (kind, status, created_by, document_id, project_id, input) values ('fetch', 'running', $1, $2, $3, '{}') returning id`
    const [row] = await inDatabase(server, job, [ada.userId, paper.id, project.id])
    const running = new pg.Client({ connectionString: server.databaseUrl })
    await running.connect()
    const moves = [
      () => patch(ada, api.document(paper.id), { project_id: other }),
      () => ada.json(api.documentsReassign(), { body: { from_project_id: other, project_id: project.id } }),
    ]
    for (const move of moves) {
      await running.query(`begin; select from jobs where id = '${String(row!['id'])}' for update`)
      const moved = move()
      await expect.poll(() => inDatabase(server, WAITING), { timeout: 60_000 }).not.toEqual([])
      await running.query(`select from documents where id = '${paper.id}' for update nowait; commit`)
      await moved
    }
    await running.end()
    await inDatabase(server, 'delete from jobs where id = $1', [row!['id']])
    expect((await ada.json<{ data: DocumentDetail }>(api.document(paper.id))).data.project_id).toBe(project.id)
  },
)

describe('the monthly budget of a project (SHR-32)', () => {
  const none = { reviewer: null, editor: null, resolver: null, owner: null }
  const setBudget = async (body: ProjectBudgetInput) =>
    (await ada.json<{ data: ProjectBudget }>(api.projectBudget(project.id), { method: 'PUT', body })).data
  const analyze = async (who: Client) => {
    const { data } = await who.json<{ data: Job }>(api.documentAnalyze(paper.id), { body: { again: true } })
    return who.job(data.id)
  }
  const spentBy = async (who: Client) => {
    const query = 'select coalesce(sum(cost_usd), 0)::float as spent from ai_calls where user_id = $1'
    return Number((await inDatabase(server, query, [who.userId]))[0]!['spent'])
  }

  it('A call is charged to the member who started it and to the project of the paper (SHR-32)', async () => {
    await setRole('editor')
    const before = [await spentBy(ada), await spentBy(ben)]
    expect(await setBudget({ dollars: null, roles: none })).toMatchObject({ dollars: null, roles: none })
    const { spent_usd } = await setBudget({ dollars: 1000, roles: none })
    expect(await analyze(ben)).toMatchObject({ status: 'completed' })
    const after = [await spentBy(ada), await spentBy(ben)]
    expect([after[0], after[1]! > before[1]!]).toEqual([before[0], true])
    const { data } = await ada.json<{ data: ProjectBudget }>(api.projectBudget(project.id))
    expect(data).toMatchObject({ dollars: 1000, month: new Date().toISOString().slice(0, 7) })
    expect(data.spent_usd - spent_usd).toBeCloseTo(after[1]! - before[1]!, 6)
    expect((await ben.fetch(api.projectBudget(project.id))).status).toBe(403)
  })

  it('A budget that another owner changed meanwhile is refused with the current budgets, and stores nothing (SHR-30)', async () => {
    const { version } = await setBudget({ dollars: null, roles: none })
    const put = async (body: ProjectBudgetInput) => {
      const response = await ada.fetch(api.projectBudget(project.id), {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return {
        status: response.status,
        ...((await response.json()) as { error?: { fields: object; current: object } }),
      }
    }
    const theirs = await setBudget({ dollars: null, roles: { ...none, reviewer: 0 }, version })
    expect(theirs.version).toBe(version + 1)
    // A budget of 0 is not the same as none.
    const refused = await put({ dollars: 50, roles: none, version })
    expect([refused.status, Object.keys(refused.error!.fields)]).toEqual([409, ['roles.reviewer']])
    expect(refused.error!.current).toMatchObject({ dollars: null, roles: { reviewer: 0 }, version: theirs.version })
    const merged = { dollars: 50, roles: { ...none, reviewer: 0 } }
    expect(await setBudget({ ...merged, version })).toMatchObject(merged)
    await setBudget({ dollars: null, roles: none })
  })

  it('A used budget of a role stops its members only, and a used budget of the project stops all (SHR-32)', async () => {
    await setBudget({ dollars: null, roles: { ...none, editor: 0.000001 } })
    expect(await analyze(ben)).toMatchObject({
      status: 'failed',
      error_code: 'over_budget',
      error: expect.stringMatching(
        /^Your monthly AI budget in this project is used up. New AI work can start on 1 \w+, or when an owner of the project raises the budget.$/,
      ),
    })
    expect(await analyze(ada)).toMatchObject({ status: 'completed' })
    await setBudget({ dollars: 0.000001, roles: none })
    expect(await analyze(ada)).toMatchObject({
      error_code: 'over_budget',
      error: expect.stringContaining('The monthly AI budget of this project is used up.'),
    })
    await setBudget({ dollars: null, roles: none })
  })
})
