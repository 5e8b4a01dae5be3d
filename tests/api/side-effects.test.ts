import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '#shared/contract/jobs.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

describe('a server that is stopped during its work', () => {
  let folder: string
  let server: TestServer
  let ada: Client

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-side-effects-'))
    await Promise.all([mkdir(join(folder, 'home')), mkdir(join(folder, 'tmp'))])
    server = await startServer({ env: { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') } })
    ada = await signUp(server.url)
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('The server and its libraries leave no file in the home directory or the temporary folder', async () => {
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Scans' } })
    const scan = await readFile(new URL('../fixtures/paper-scan.pdf', import.meta.url))
    const { id } = await ada.upload(data.id, new File([new Uint8Array(scan)], 'scan.pdf', { type: 'application/pdf' }))
    const body = { query: 'Do walks improve sleep?' }
    const { embedding } = await ada.json<{ embedding: number[] }>(functionPath('generate-query-embedding'), { body })
    expect(embedding.length).toBeGreaterThan(100)
    const started = await ada.json<{ data: Job }>(api.documentExtract(id), { body: { method: 'ocr' } })
    await expect
      .poll(async () => (await ada.json<{ data: Job }>(api.job(started.data.id))).data.status)
      .not.toBe('queued')
    await server.stop()
    const names = await readdir(folder, { recursive: true })
    expect(names.toSorted()).toEqual(['home', 'tmp'])
  })
})
