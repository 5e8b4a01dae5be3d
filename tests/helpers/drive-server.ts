import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const FOLDER = 'application/vnd.google-apps.folder'
const PDF = 'application/pdf'

interface StoredFile {
  id: string
  name: string
  mimeType: string
  parent: string
  bytes?: Uint8Array
}

/** An unusual response to the next request to a path that begins with `path`. */
export interface Misbehaviour {
  path: string
  times?: number
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Sends `body`, then nothing, and leaves the connection open. */
  hang?: boolean
  /** Sends `body` as the beginning of a longer body, then closes the connection. */
  cut?: boolean
  /** Sends PDF bytes without end. */
  endless?: boolean
}

/** A simulation of Google's authorization page, token endpoint and Drive API on loopback. */
export interface DriveServer {
  /** The GOOGLE_* settings of a server under test that uses this Google Drive. */
  env: Record<string, string>
  seen: { method: string; path: string; query: URLSearchParams; headers: IncomingMessage['headers'] }[]
  misbehave: (how: Misbehaviour) => void
  /** Ends the effect of all calls of `misbehave`. */
  reset: () => void
  /** Invalidates all access tokens. */
  expireTokens: () => void
  stop: () => Promise<void>
}

const SCAN = new URL('../fixtures/paper-scan.pdf', import.meta.url)

/**
 * Starts a simulated Google Drive on loopback. Its root contains the folders 'Papers' (`paper.pdf`, 'Second paper', a scan and
 * a file that is not a PDF), 'Empty' and 'Many' (1,200 files).
 */
export async function startDriveServer(paper: Uint8Array): Promise<DriveServer> {
  const files: StoredFile[] = [
    { id: 'folder-papers', name: 'Papers', mimeType: FOLDER, parent: 'root' },
    { id: 'folder-empty', name: 'Empty', mimeType: FOLDER, parent: 'root' },
    { id: 'folder-many', name: 'Many', mimeType: FOLDER, parent: 'root' },
    { id: 'file-paper', name: 'paper.pdf', mimeType: PDF, parent: 'folder-papers', bytes: paper },
    { id: 'file-second', name: 'Second paper', mimeType: PDF, parent: 'folder-papers', bytes: paper },
    { id: 'file-scan', name: 'scan.pdf', mimeType: PDF, parent: 'folder-papers', bytes: readFileSync(SCAN) },
    { id: 'file-broken', name: 'broken.pdf', mimeType: PDF, parent: 'folder-papers', bytes: Buffer.from('<html>') },
    ...Array.from({ length: 1200 }, (_, n) => ({
      id: `many-${n}`,
      name: `Many ${n}.pdf`,
      mimeType: PDF,
      parent: 'folder-many',
    })),
  ]
  const codes = new Map<string, { challenge: string | null; redirect: string }>()
  const tokens = new Set<string>()
  const seen: DriveServer['seen'] = []
  const wrong: Misbehaviour[] = []

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    seen.push({ method: request.method ?? '', path: url.pathname, query: url.searchParams, headers: request.headers })
    const bad = wrong.find(({ path }) => url.pathname.startsWith(path))
    if (bad) {
      bad.times = (bad.times ?? 1) - 1
      if (bad.times <= 0) wrong.splice(wrong.indexOf(bad), 1)
      return misanswer(response, bad)
    }
    if (url.pathname === '/auth') return authorize(url, response)
    if (url.pathname === '/token') return exchange(new URLSearchParams(Buffer.concat(parts).toString()), response)
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!token || !tokens.has(token))
      return json(response, 401, { error: { code: 401, message: 'Invalid Credentials' } })
    if (url.pathname === '/drive/v3/files') return list(url, response)
    const file = files.find(({ id }) => url.pathname === `/drive/v3/files/${id}`)
    if (!file?.bytes) return json(response, 404, { error: { code: 404, message: 'File not found' } })
    response.writeHead(200, { 'content-type': file.mimeType })
    response.end(file.bytes)
  }
  const server = createServer((request, response) => void answer(request, response))

  function authorize(url: URL, response: ServerResponse) {
    const code = `code-${codes.size + 1}`
    const redirect = url.searchParams.get('redirect_uri') ?? ''
    codes.set(code, { challenge: url.searchParams.get('code_challenge'), redirect })
    const back = new URL(redirect)
    back.searchParams.set('code', code)
    back.searchParams.set('state', url.searchParams.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  function exchange(form: URLSearchParams, response: ServerResponse) {
    const known = codes.get(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const ok =
      form.get('code') === 'code-without-pkce' ||
      (known && known.redirect === form.get('redirect_uri') && known.challenge === proof)
    if (!ok || form.get('client_secret') !== 'drive-secret') return json(response, 400, { error: 'invalid_grant' })
    codes.delete(form.get('code')!)
    const token = `token-${tokens.size + 1}`
    tokens.add(token)
    json(response, 200, { access_token: token, expires_in: 3599, token_type: 'Bearer' })
  }

  function list(url: URL, response: ServerResponse) {
    const parent = /'([\w-]+)' in parents/.exec(url.searchParams.get('q') ?? '')?.[1]
    const all = files.filter((file) => file.parent === parent)
    const start = Number(url.searchParams.get('pageToken') ?? 0)
    const size = Number(url.searchParams.get('pageSize') ?? 100)
    json(response, 200, {
      files: all.slice(start, start + size).map(({ id, name, mimeType, bytes }) => ({
        id,
        name,
        mimeType,
        ...(bytes ? { size: String(bytes.length) } : {}),
      })),
      ...(start + size < all.length ? { nextPageToken: String(start + size) } : {}),
    })
  }

  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      GOOGLE_CLIENT_ID: 'drive-client',
      GOOGLE_CLIENT_SECRET: 'drive-secret',
      GOOGLE_AUTH_URL: `${base}/auth`,
      GOOGLE_TOKEN_URL: `${base}/token`,
      GOOGLE_DRIVE_URL: `${base}/drive/v3`,
    },
    seen,
    misbehave: (how) => void wrong.push({ ...how }),
    reset: () => void wrong.splice(0),
    expireTokens: () => tokens.clear(),
    stop: () =>
      new Promise((resume) => {
        server.close(() => resume())
        server.closeAllConnections()
      }),
  }
}

function misanswer(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', hang, cut, endless }: Misbehaviour,
) {
  response.writeHead(status, headers)
  if (cut) return void response.write(body, () => response.destroy())
  if (!hang && !endless) return void response.end(body)
  response.write(endless ? '%PDF-1.7\n' : body)
  const piece = Buffer.alloc(256 * 1024, 32)
  const more = () => {
    if (!endless || response.destroyed) return
    response.write(piece)
    setTimeout(more, 2)
  }
  more()
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
