import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** A user of the OpenID Connect provider. The key of the user in `people` is the user id and the login name. */
export interface Person {
  email: string
  email_verified: boolean
  name?: string
  groups?: string[]
}

export const OIDC_CLIENT = { OIDC_CLIENT_ID: 'reading-room', OIDC_CLIENT_SECRET: 'a secret between the two of them' }

/**
 * Starts an OpenID Connect provider on loopback: the certified library `oidc-provider` with simple pages for sign-in and
 * consent. It requires PKCE. When the server under test has an address, call `serve` with its callback URL. `claimed`: a false
 * issuer for the provider to report; by default it reports its address.
 */
export async function startOidcServer(people: Record<string, Person>, claimed?: string) {
  let handle: (...parts: Parameters<ReturnType<Provider['callback']>>) => unknown = (_, response) => response.end()
  let meddle: ((asked: URLSearchParams) => void) | undefined
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    if (meddle && url.pathname === '/auth') {
      meddle(url.searchParams)
      request.url = url.pathname + url.search
    }
    void handle(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = claimed ?? address
  return {
    issuer,
    address,
    host: new URL(address).host,
    /**
     * Sets a function that changes the query of each authorization request before the provider reads it, as an attacker would.
     */
    set meddle(change: typeof meddle) {
      meddle = change
    },
    serve(callback: string) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: OIDC_CLIENT.OIDC_CLIENT_ID,
            client_secret: OIDC_CLIENT.OIDC_CLIENT_SECRET,
            redirect_uris: [callback],
            grant_types: ['authorization_code'],
            response_types: ['code'],
          },
        ],
        pkce: { required: () => true },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['only a test'] },
        findAccount: (_, id) =>
          people[id] ? { accountId: id, claims: () => ({ sub: id, ...people[id] }) } : undefined,
      })
      handle = provider.callback()
    },
    stop: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

/** The cookies of a browser for one host. Supports only the attributes of cookies that a sign-in needs. */
class Cookies {
  readonly #jar = new Map<string, string>()
  take(response: Response) {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = cookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      const isGone = rest.some((part) => /expires=Thu, 01 Jan 1970|max-age=0/i.test(part)) || pair.endsWith('=')
      if (isGone) this.#jar.delete(name)
      else this.#jar.set(name, pair.slice(pair.indexOf('=') + 1))
    }
  }
  toString() {
    return [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/**
 * Signs in to the server at `url` through the provider as the user `login`. Returns the first URL (of the provider), the last
 * URL, the cookies for the server and `jars`, the cookies by host. Pass the `jars` of an earlier sign-in to simulate the same
 * browser, which still has a session at the provider.
 */
export async function signInAtProvider(
  url: string,
  login: string,
  redirectTo?: string,
  jars = new Map<string, Cookies>(),
) {
  const go = async (address: string, init: RequestInit = {}) => {
    const { host } = new URL(address)
    const jar = jars.get(host) ?? new Cookies()
    jars.set(host, jar)
    const headers = { ...(init.headers as Record<string, string> | undefined), cookie: String(jar) }
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    jar.take(response)
    return response
  }
  const started = await go(`${url}/auth/v1/sign-in/social`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_to: redirectTo }),
  })
  const first = ((await started.json()) as { url: string }).url
  let at = first
  for (let hop = 0; hop < 20; hop++) {
    if (at.startsWith(url) && !at.includes('/auth/v1/')) break
    const response = await go(at)
    const next = response.headers.get('location')
    if (next) {
      at = new URL(next, at).href
      continue
    }
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`The provider answered ${response.status} at ${at}: ${page.slice(0, 500)}`)
    const posted = await go(new URL(action, at).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) }),
    })
    at = new URL(posted.headers.get('location') ?? at, at).href
  }
  return { first: new URL(first), end: new URL(at), cookie: String(jars.get(new URL(url).host)), jars }
}
