import { createHash, randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DriveServer, startDriveServer } from '#tests/helpers/drive-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { version } from '#server/lib/version.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import type { DriveFile } from '#shared/contract/drive.ts'
import { api, functionPath, pages } from '#shared/contract/paths.ts'

let server: TestServer
let drive: DriveServer
let ada: Client
let bob: Client
let project: string
let token: string
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

beforeAll(async () => {
  drive = await startDriveServer(paper)
  server = await startServer({ env: { ...drive.env, MAX_UPLOAD_MB: '2', CONTACT_EMAIL: 'ops@example.org' } })
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })).data.id
})
afterAll(async () => {
  await server.stop()
  await drive.stop()
})
beforeEach(async () => {
  drive.reset()
  token = (await authorize()).accessToken
})

const redirectUri = () => `${server.url}${pages.driveCallback()}`
const call = (name: string, body: unknown, client = ada) =>
  client.fetch(functionPath(name), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: unknown }),
})
const bring = (file_id: string, more: Record<string, unknown> = {}, client = ada) =>
  client.fetch(api.driveImport(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project, access_token: token, file_id, file_name: 'paper.pdf', ...more }),
  })
const count = async () => (await ada.json<{ count: number }>(api.documents({ project_id: project }))).count
const leftovers = () => readdir(join(server.dataDir, 'uploads')).catch(() => [])

/**
 * Authorizes access to Google Drive as a browser does: requests Google's page with a PKCE challenge, and sends the returned
 * code to the server.
 */
async function authorize() {
  const codeVerifier = randomBytes(32).toString('base64url')
  const url = new URL(drive.env['GOOGLE_AUTH_URL']!)
  url.searchParams.set('redirect_uri', redirectUri())
  url.searchParams.set('code_challenge', createHash('sha256').update(codeVerifier).digest('base64url'))
  const sent = await fetch(url, { redirect: 'manual' })
  const code = new URL(sent.headers.get('location')!).searchParams.get('code')
  const response = await call('google-drive-callback', { code, redirectUri: redirectUri(), codeVerifier })
  expect(response.status).toBe(200)
  return (await response.json()) as { files: DriveFile[]; accessToken: string }
}

describe('the authorization', () => {
  it('The authorization gives the browser the address of Google, and nothing secret', async () => {
    const { data } = await ada.json<{ data: Record<string, string> }>(api.drive())
    expect(data).toEqual({
      auth_url: drive.env['GOOGLE_AUTH_URL'],
      client_id: 'drive-client',
      scope: 'https://www.googleapis.com/auth/drive.readonly',
    })
  })

  it('The authorization answers a code with the root files and a token (FUNC-18)', async () => {
    const { files, accessToken } = await authorize()
    expect(files.map(({ name }) => name)).toEqual(['Papers', 'Empty', 'Many'])
    expect(accessToken).toMatch(/^token-/)
  })

  it.each([
    ['no code (DRIVE-05)', {}, 422, 'No authorization code received from Google'],
    ['a code that Google refuses (MSG-72)', { code: 'stolen' }, 502, 'Failed to process Google authorization'],
    [
      'a failure of Google (MSG-72)',
      { code: 'x' },
      502,
      expect.stringMatching(/^Failed to process Google authorization\. /),
      '<html>',
    ],
    [
      'another page’s address',
      { code: 'x', redirectUri: 'https://evil.example/x' },
      422,
      'Failed to process Google authorization',
    ],
    [
      'the same page of another site',
      { code: 'x', redirectUri: `https://evil.example${pages.driveCallback()}` },
      422,
      'Failed to process Google authorization',
    ],
  ])('The authorization refuses %s (MSG-72)', async (_what, body, status, error, answer = '') => {
    if (answer) drive.misbehave({ path: '/token', body: answer })
    expect(await errorOf(await call('google-drive-callback', { redirectUri: redirectUri(), ...body }))).toEqual({
      status,
      error,
    })
  })

  it('The authorization refuses a code with another verifier (PKCE)', async () => {
    const url = new URL(drive.env['GOOGLE_AUTH_URL']!)
    url.searchParams.set('redirect_uri', redirectUri())
    url.searchParams.set('code_challenge', createHash('sha256').update('mine').digest('base64url'))
    const code = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!).searchParams.get('code')
    const response = await call('google-drive-callback', { code, redirectUri: redirectUri(), codeVerifier: 'theirs' })
    expect(response.status).toBe(502)
  })

  it('The authorization needs a session', async () => {
    const response = await fetch(server.url + functionPath('google-drive-list'), { method: 'POST', body: '{}' })
    expect(await errorOf(response)).toEqual({ status: 401, error: 'No active session' })
  })
})

describe('the files', () => {
  it('The files call lists a folder with all its pages, within the limits of Google (FUNC-16)', async () => {
    const response = await call('google-drive-list', { action: 'list', folderId: 'folder-many', accessToken: token })
    const { files } = (await response.json()) as { files: DriveFile[] }
    expect(files).toHaveLength(1200)
    expect(drive.seen.at(-1)!.headers['user-agent']).toBe(`Lectern/${version} (mailto:ops@example.org)`)
  })

  it('The files call answers the bytes in base64 (FUNC-17)', async () => {
    const response = await call('google-drive-download', {
      fileId: 'file-paper',
      accessToken: token,
      fileName: 'a.pdf',
    })
    const { content, name } = (await response.json()) as { content: string; name: string }
    expect(name).toBe('a.pdf')
    expect(Buffer.from(content, 'base64').equals(paper)).toBe(true)
  })

  it('The files call refuses an empty file (MSG-70)', async () => {
    drive.misbehave({ path: '/drive/v3/files/file-paper', body: '' })
    const response = await call('google-drive-download', { fileId: 'file-paper', accessToken: token })
    expect(await errorOf(response)).toEqual({ status: 502, error: 'Invalid file data received' })
  })

  it.each([
    ['no token (MSG-73)', { folderId: 'root' }, 422, 'Not authenticated with Google Drive'],
    ['a token that has run out', { folderId: 'root', accessToken: 'old' }, 422, 'Not authenticated with Google Drive'],
    [
      'a folder that would leave the query',
      { folderId: "x' or 'y' in parents or '", accessToken: 'given' },
      422,
      'This is not a folder of Google Drive.',
    ],
  ])('The files call refuses %s', async (_what, body, status, error) => {
    expect(await errorOf(await call('google-drive-list', body))).toEqual({ status, error })
  })

  it('The files call retries when Google fails briefly, and reports a longer failure (MSG-68)', async () => {
    drive.misbehave({ path: '/drive/v3/files', times: 1, status: 503 })
    expect((await call('google-drive-list', { accessToken: token })).status).toBe(200)
    drive.misbehave({ path: '/drive/v3/files', status: 403, body: '{}' })
    expect(await errorOf(await call('google-drive-list', { accessToken: token }))).toEqual({
      status: 502,
      error: 'Failed to fetch Google Drive files',
    })
  })

  it('A request that is invalid for every user does not count as a failure of Google, which would block all users', async () => {
    const tries = ['\u2603', 'a\nb', 'a b', 'ä', '☃☃']
    for (const accessToken of tries) {
      expect(await errorOf(await call('google-drive-list', { accessToken }))).toEqual({
        status: 422,
        error: 'Not authenticated with Google Drive',
      })
    }
    expect((await call('google-drive-list', { accessToken: token })).status).toBe(200)
  })

  it('The files call returns the Retry-After of Google', async () => {
    drive.misbehave({ path: '/drive/v3/files', status: 429, headers: { 'retry-after': '120' } })
    const response = await call('google-drive-list', { accessToken: token })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('120')
  })

  it.each([
    ['a body of another shape', { body: '{"items":[]}' }],
    ['a page of HTML', { body: '<html>' }],
    ['half an answer', { cut: true, body: '{"files":[' }],
    ['an answer of 503, however often it asks,', { status: 503, times: 3 }],
    ['a redirect elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/' } }],
  ])('The files call reads %s as a failure of the service (MSG-68)', async (_what, how) => {
    drive.misbehave({ path: '/drive/v3/files', ...how })
    expect(await errorOf(await call('google-drive-list', { accessToken: token }))).toEqual({
      status: 502,
      error: expect.stringMatching(/^Failed to fetch Google Drive files/),
    })
  })

  it('The files call does not loop when a page token repeats', async () => {
    drive.misbehave({ path: '/drive/v3/files', times: 50, body: '{"files":[],"nextPageToken":"again"}' })
    const before = drive.seen.length
    expect((await call('google-drive-list', { accessToken: token })).status).toBe(200)
    expect(drive.seen.length - before).toBeLessThan(5)
  })
})

describe('the import', () => {
  it('The import creates a pending document of a file, without extracting it (DRIVE-02, STATE-15)', async () => {
    const response = await bring('file-second', { file_name: 'Second paper' })
    expect(response.status).toBe(201)
    const { data } = (await response.json()) as { data: DocumentRow }
    expect(data).toMatchObject({
      filename: 'Second paper.pdf',
      status: 'pending',
      project_id: project,
      file_size: paper.length,
    })
    const file = await ada.fetch(api.documentFile(data.id))
    expect(Buffer.from(await file.arrayBuffer()).equals(paper)).toBe(true)
  })

  it.each([
    ['content that is no PDF (MSG-70)', 'file-broken', {}, 422, 'Invalid file data received'],
    ['a file that is not there', 'file-gone', {}, 502, 'Failed to fetch Google Drive files'],
    ['no authorization (MSG-73)', 'file-paper', { access_token: 'old' }, 422, 'Not authenticated with Google Drive'],
    ['an address for an id', '../../token', {}, 422, 'This is not a file of Google Drive.'],
  ])('The import refuses %s and stores nothing', async (_what, id, more, status, message) => {
    const before = await count()
    const response = await bring(id, more)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { message } })
    expect(await count()).toBe(before)
    expect(await leftovers()).toEqual([])
  })

  it('The import of an endless response body stops at the size limit and stores nothing', async () => {
    drive.misbehave({ path: '/drive/v3/files/file-paper', endless: true })
    expect((await bring('file-paper')).status).toBe(413)
    expect(await leftovers()).toEqual([])
  })

  it('The import refuses a project of another user', async () => {
    expect((await bring('file-paper', {}, bob)).status).toBe(404)
    expect(await leftovers()).toEqual([])
  })

  it('The import writes no token to the log', () => {
    expect(server.output()).not.toContain(token)
  })
})

it('The Drive calls report a server without Drive settings', async () => {
  const bare = await startServer()
  try {
    const eve = await signUp(bare.url)
    expect(await eve.json(api.drive())).toEqual({ data: null })
    const response = await call('google-drive-list', { accessToken: 'x' }, eve)
    expect(await errorOf(response)).toEqual({ status: 501, error: 'Google Drive is not set up on this installation.' })
  } finally {
    await bare.stop()
  }
})
