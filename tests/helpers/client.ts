import { randomBytes } from 'node:crypto'
import { api } from '#shared/contract/paths.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { insertAccount } from './stored-account.ts'

/** A signed-in client of the API with a bearer token and without cookies. */
export interface Client {
  url: string
  email: string
  password: string
  userId: string
  token: string
  /** Calls `fetch` with a path of the server and the bearer token. Does not throw for an error status. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  /**
   * Sends `body` as JSON and returns the parsed response. Throws for a status other than 2xx; the message contains the
   * response.
   */
  json: <T = never>(path: string, init?: { method?: string; body?: unknown }) => Promise<T>
  /** Uploads one file as a document of a project and returns `data` of the response. */
  upload: <T = { id: string; status: string }>(
    projectId: string,
    file: File,
    fields?: Record<string, string>,
  ) => Promise<T>
  /** Waits until a job has completed or failed, and returns it. Throws after `limitMs` (default: 8 minutes). */
  job: (id: string, limitMs?: number) => Promise<Job>
}

const PASSWORD = 'correct horse battery'
/**
 * Shortest and longest pause in ms between two requests of `Client.job` for the status of a job. The pause grows from request
 * to request, because each request takes processor time.
 */
const POLL_MS = { first: 50, longest: 400 }

/**
 * Returns the client of a new account. The default e-mail address is unique. Without `password`, inserts the account into the
 * database of the server, which is faster than a request; a server that this process does not know gets a sign-up request.
 * Tests of the sign-up use `signUpByRequest`.
 */
export async function signUp(url: string, account: { email?: string; password?: string } = {}): Promise<Client> {
  const email = account.email ?? newAddress()
  const stored = account.password === undefined ? await insertAccount(url, email) : null
  return stored ? clientOf(url, { email, password: PASSWORD, ...stored }) : signUpByRequest(url, { ...account, email })
}

/** Creates an account by a sign-up request, and signs in. The default e-mail address is unique. */
export async function signUpByRequest(
  url: string,
  { email = newAddress(), password = PASSWORD }: { email?: string; password?: string } = {},
): Promise<Client> {
  await expectOk(await post(`${url}${api.signUp()}`, { name: email.split('@')[0], email, password }))
  return signIn(url, { email, password })
}

/** Returns a unique e-mail address that begins with `name`. */
export const addressOf = (name: string): string => `${name}@${randomBytes(6).toString('hex')}.example.org`
const newAddress = () => `${randomBytes(6).toString('hex')}@example.org`

/** Signs in to an existing account and returns its client. */
export async function signIn(url: string, account: { email: string; password?: string }): Promise<Client> {
  const { email, password = PASSWORD } = account
  const response = await expectOk(await post(`${url}${api.signIn()}`, { email, password }))
  const token = response.headers.get('set-auth-token') ?? ''
  if (!token) throw new Error('The sign-in answered without a set-auth-token header.')
  const { user } = (await response.json()) as { user: { id: string } }
  return clientOf(url, { email, password, userId: user.id, token })
}

function clientOf(url: string, session: { email: string; password: string; userId: string; token: string }): Client {
  const { email, password, userId } = session
  let { token } = session
  const call: Client['fetch'] = async (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(`${url}${path}`, { ...init, headers })
    // The second step of a sign-in changes the token.
    token = response.headers.get('set-auth-token') ?? token
    return response
  }
  const json: Client['json'] = async <T>(path: string, init: { method?: string; body?: unknown } = {}) => {
    const response = await call(path, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      ...(init.body === undefined
        ? {}
        : { body: JSON.stringify(init.body), headers: { 'content-type': 'application/json' } }),
    })
    await expectOk(response)
    const text = await response.text()
    return (text === '' ? null : JSON.parse(text)) as T
  }
  return {
    url,
    email,
    password,
    userId,
    get token() {
      return token
    },
    fetch: call,
    json,
    upload: async <T>(projectId: string, file: File, fields: Record<string, string> = {}) => {
      const form = new FormData()
      // The project comes first, because the server streams the file and needs the project before.
      form.append('project_id', projectId)
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', file)
      const response = await expectOk(await call(api.documents(), { method: 'POST', body: form }))
      return ((await response.json()) as { data: T }).data
    },
    job: async (id, limitMs = 480_000) => {
      const deadline = Date.now() + limitMs
      for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * 1.5, POLL_MS.longest)) {
        const { data } = await json<{ data: Job }>(api.job(id))
        if (data.status === 'completed' || data.status === 'failed') return data
        if (Date.now() > deadline)
          throw new Error(`Job ${id} is still ${data.status} (${data.progress} %) after ${limitMs} ms.`)
        await new Promise((resume) => setTimeout(resume, pauseMs))
      }
    },
  }
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function expectOk(response: Response): Promise<Response> {
  if (response.ok) return response
  throw new Error(`${response.url} answered ${response.status}: ${(await response.text()).slice(0, 2000)}`)
}
