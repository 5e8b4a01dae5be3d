import { QueryClient } from '@tanstack/react-query'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '#shared/contract/jobs.ts'
import { catchUp, finished, JobFailed, receiveJob } from './jobs.ts'

/** A server without any job. Relative URLs of the page are redirected to it. */
const server = createServer((_, response) =>
  response.writeHead(404).end(JSON.stringify({ error: { code: 'not_found', message: 'Job not found' } })),
)
const pageFetch = globalThis.fetch
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  globalThis.fetch = (path, init) => pageFetch(new URL(path as string, base), init)
})
afterAll(() => {
  globalThis.fetch = pageFetch
  server.close()
})

const job = (values: Partial<Job>): Job => ({
  id: crypto.randomUUID(),
  kind: 'analyze',
  status: 'running',
  progress: 0,
  progress_text: null,
  error: null,
  error_code: null,
  result: null,
  document_id: null,
  project_id: null,
  is_own: true,
  created_at: '2026-11-28T10:00:00Z',
  updated_at: '2026-11-28T10:00:00Z',
  ...values,
})

describe('the wait for a deleted job', () => {
  const id = '0b6e5f0a-6f0a-4b4a-9c57-6a1f0a0e0001'
  it.each([
    ['a document', { document_id: id, project_id: id }, 'The document was deleted or is no longer shared with you.'],
    ['a project', { project_id: id }, 'The project was deleted or is no longer shared with you.'],
    ['several projects', {}, 'The job was deleted.'],
  ])(
    'finished rejects when the event stream is back and the job of %s does not exist any more',
    async (_, of, error) => {
      const client = new QueryClient()
      const running = job(of)
      receiveJob(client, running)
      const ended = finished(running)
      await Promise.all([expect(ended).rejects.toThrow(new JobFailed({ ...running, error })), catchUp(client)])
    },
  )
})

describe('the jobs of the rows of a list', () => {
  const [document_id, project_id] = [crypto.randomUUID(), crypto.randomUUID()]
  const key = ['documents', 'jobs', project_id]

  it('An event changes the loaded jobs: a new job is added, its progress replaces it, and its end removes it', () => {
    const client = new QueryClient()
    client.setQueryData<Job[]>(key, [])
    const begun = job({ document_id, project_id })
    receiveJob(client, begun)
    expect(client.getQueryData(key)).toEqual([begun])
    const further = { ...begun, progress: 50, updated_at: '2026-11-28T10:00:01Z' }
    receiveJob(client, further)
    expect(client.getQueryData(key)).toEqual([further])
    receiveJob(client, { ...further, status: 'completed', updated_at: '2026-11-28T10:00:02Z' })
    expect(client.getQueryData(key)).toEqual([])
  })

  it('An event before the first request stores no list, which would lack the other jobs', () => {
    const client = new QueryClient()
    receiveJob(client, job({ document_id, project_id }))
    expect(client.getQueryData(key)).toBeUndefined()
  })
})
