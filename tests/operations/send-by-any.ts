import { inspect } from 'node:util'
import type { Client, TestServer } from '#tests/helpers/server.ts'

/** Statistics of all requests of a test run. */
export interface Traffic {
  /** Durations in ms by kind of request. A duration includes failed attempts at other servers. */
  taken: Map<string, number[]>
  /** Number of refused connections. After each, the request was sent to the next server. */
  refused: number
  /** Number of connections that ended without a response, because a server was killed. */
  broken: number
  /** Responses and errors that a running server must not cause, one line each. */
  failures: string[]
}

/**
 * The result of `sendByAny`. `response`: null if no server responded. `unclear`: the request may have had an effect although
 * there was no response, because the connection ended.
 */
export interface Sent {
  response: Response | null
  unclear: boolean
}

/**
 * Sends a request as a load balancer would: to the user's current server and, if its connection fails, to the next server. If
 * the connection was refused, every request is repeated. If the connection ended without a response, only requests that change
 * nothing (GET) are repeated.
 */
export async function sendByAny(
  servers: readonly TestServer[],
  person: { client: Client; home: number },
  traffic: Traffic,
  what: string,
  path: string,
  init: RequestInit = {},
): Promise<Sent> {
  const began = performance.now()
  for (let attempt = 0; attempt < 2 * servers.length; attempt += 1) {
    const { url } = servers[person.home]!
    try {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${person.client.token}`)
      const response = await fetch(`${url}${path}`, { ...init, headers })
      await response.clone().arrayBuffer()
      const durations = traffic.taken.get(what)
      if (durations) durations.push(performance.now() - began)
      else traffic.taken.set(what, [performance.now() - began])
      if (!response.ok)
        traffic.failures.push(`${what}: ${response.status} ${(await response.clone().text()).slice(0, 200)}`)
      return { response, unclear: false }
    } catch (error) {
      person.home = (person.home + 1) % servers.length
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code === 'ECONNREFUSED') {
        traffic.refused += 1
        continue
      }
      if (!['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'].includes(code ?? '')) {
        traffic.failures.push(`${what}: ${inspect(error)}`)
        return { response: null, unclear: true }
      }
      traffic.broken += 1
      if (init.method !== undefined) return { response: null, unclear: true }
    }
  }
  traffic.failures.push(`${what}: no server answered`)
  return { response: null, unclear: false }
}
