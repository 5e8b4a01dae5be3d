import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartedFactor } from '#shared/contract/accounts.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { Trash } from '#shared/contract/trash.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type OpenAiServer, startOpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

/**
 * The machine's clock is set a year ahead, back again, and an hour behind, while people work. With the embedded database that
 * is the database's clock too; beside a database server it is the clock of this server alone.
 */
const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY
const PRELOAD = new URL('../helpers/shifted-clock.mjs', import.meta.url).href

describe.each(process.env['TEST_DATABASE_URL'] ? ['embedded', 'server'] : ['embedded'])(
  'with the %s database',
  (kind) => {
    const embedded = kind === 'embedded'
    let folder: string
    let provider: OpenAiServer
    let server: TestServer
    let ada: Client
    let project: string
    let paper: string
    let old: string
    let shift = 0

    const said = (words: string) => server.output().split(words).length - 1
    const sendJson = (client: Client, path: string, body: unknown) =>
      client.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const signInStatus = async (password: string) =>
      (
        await fetch(server.url + api.signIn(), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: ada.email, password }),
        })
      ).status
    const startJob = async (client: Client) =>
      (await client.json<{ data: Job }>(api.documentAnalyze(paper), { body: {} })).data.id
    const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
    const upload = (client: Client, name: string) =>
      client.upload(project, new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' }))

    /** Sets the clock, and waits until the server has noticed where it notices. */
    async function setClock(ms: number) {
      const words = ms > shift ? 'the clock has jumped ahead' : 'the clock has gone back'
      const before = said(words)
      shift = ms
      await writeFile(join(folder, 'shift'), String(ms))
      if (embedded) await expect.poll(() => said(words), { timeout: 60_000 }).toBe(before + 1)
      else await new Promise((resume) => setTimeout(resume, 2_000))
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'lectern-test-clock-'))
      await writeFile(join(folder, 'shift'), '0')
      provider = await startOpenAiServer()
      server = await startServer({
        embedded,
        env: {
          NODE_OPTIONS: `--import ${PRELOAD}`,
          CLOCK_SHIFT_FILE: join(folder, 'shift'),
          RATE_LIMIT: 'on',
          AI_BASE_URL: provider.url,
          AI_CHAT_MODEL: 'test-chat',
        },
      })
      ada = await signUp(server.url)
      project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Kept' } })).data.id
      paper = (await upload(ada, 'paper')).id
      await ada.json(api.documentText(paper), { method: 'PUT', body: { extracted_text: '[Page 1]\nNaps helped.' } })
      old = (await upload(ada, 'old')).id
      await ada.json(api.document(old), { method: 'DELETE' })
      await inDatabase(server, `update documents set deleted_at = now() - interval '29 days' where id = $1`, [old])
    })
    afterAll(async () => {
      await server.stop()
      await provider.stop()
      await rm(folder, { recursive: true, force: true })
    })

    it('a year ahead ends sessions and nothing else: work goes on, and nothing that was deleted goes early', async () => {
      provider.next('chat', { kind: 'hang' })
      const job = await startJob(ada)
      await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(1)
      await setClock(YEAR)

      expect((await ada.fetch(api.projects())).status).toBe(401)
      const again = await signIn(server.url, ada)
      // What hung is taken up again: by the clock its worker had been silent for a year.
      if (embedded) expect(await again.job(job)).toMatchObject({ status: 'completed' })
      else await again.json(api.jobCancel(job), { method: 'POST' })
      expect((await upload(again, `ahead`)).status).toBe('pending')

      // The sweep of the start finds what is over by this clock, and leaves it.
      await server.restart()
      const rows = () => inDatabase(server, `select 1 from documents where id = $1`, [old])
      expect(await rows()).toHaveLength(1)
      provider.next('chat', { kind: 'status', status: 429, headers: { 'retry-after': '5' } })
      await startJob(again)
      await again.json(api.document((await upload(again, 'gone')).id), { method: 'DELETE' })
      expect(await rows()).toHaveLength(1)
    })

    it('and back is as if it had not been: no session lasts until then, no job, no limit and no code waits for it', async () => {
      // Still a year ahead: a second factor, and so many wrong passwords that no more are taken.
      const ahead = await signUp(server.url)
      const steps = shift / 30_000
      const { data: factor } = await ahead.json<{ data: StartedFactor }>(api.factors(), {
        body: { friendly_name: 'Phone', factor_type: 'totp' },
      })
      const answer = async (client: Client, code: string) => {
        const { data } = await client.json<{ data: { id: string } }>(api.factorChallenge(factor.id), { body: {} })
        return (await sendJson(client, api.factorVerify(factor.id), { code, challenge_id: data.id })).status
      }
      expect(await answer(ahead, codeFor(factor.totp.secret, steps))).toBe(200)
      for (let turn = 0; turn < 12 && (await signInStatus('wrong password')) === 401; turn++);
      expect(await signInStatus('wrong password')).toBe(429)

      await setClock(0)
      expect((await ahead.fetch(api.projects())).status).toBe(401)
      await expect.poll(() => signInStatus(ada.password), { timeout: 60_000 }).toBe(200)
      ada = await signIn(server.url, ada)
      expect(await answer(await signIn(server.url, ahead), codeFor(factor.totp.secret))).toBe(200)

      const { data: waiting } = await ada.json<{ data: Job[] }>(api.jobs({ active: 'true' }))
      for (const { id } of waiting) expect(await ada.job(id, 20_000)).toMatchObject({ status: 'completed' })
      expect((await read(paper)).summary).toBeTruthy()

      const { data: trash } = await ada.json<{ data: Trash }>(api.trash())
      expect(trash.documents.map(({ id }) => id)).toContain(old)
      for (const { deleted_at } of trash.documents) expect(Date.parse(deleted_at)).toBeLessThan(Date.now() + 60_000)
      await ada.json(api.documentRestore(old), { method: 'POST' })
      expect((await ada.fetch(api.documentFile(old))).status).toBe(200)
    })

    it.runIf(embedded)('an hour behind keeps everybody in, and what is begun before and after goes on', async () => {
      provider.reset()
      provider.next('chat', { kind: 'status', status: 429, headers: { 'retry-after': '5' } })
      const before = await startJob(ada)
      await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(1)
      await setClock(-HOUR)
      expect(await ada.job(before, 20_000)).toMatchObject({ status: 'completed' })
      expect(await ada.job(await startJob(ada), 20_000)).toMatchObject({ status: 'completed' })
      expect((await upload(await signIn(server.url, ada), 'behind')).status).toBe('pending')
      await server.restart()
      expect((await ada.fetch(api.projects())).status).toBe(200)
      expect(await ada.job(await startJob(ada), 20_000)).toMatchObject({ status: 'completed' })
      expect(server.output()).not.toMatch(/failed unexpectedly|[Uu]nhandled/)
    })
  },
)
