import { lookup as resolveName } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { boundedFetch, type FailureKind } from './bounded-fetch.ts'
import { isPublicAddress } from './public-address.ts'
import { userAgent } from './user-agent.ts'

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 10_000
/** Request headers that are never sent, not even after a redirect. They are removed if the caller passes them. */
const NEVER_SENT = ['authorization', 'cookie', 'proxy-authorization', 'host']

export interface GuardedFetchOptions {
  /** Maximum size of the body in bytes, after decompression. */
  maxBytes: number
  /** Maximum time from the call to the last byte of the body, redirects included, in milliseconds. */
  timeoutMs: number
  /** The Accept header, for example 'application/pdf'. */
  accept?: string
  headers?: Record<string, string>
  /** Aborts the request and its body. */
  signal?: AbortSignal
}

export interface GuardedResponse {
  status: number
  headers: Headers
  /** The final address, after redirects. */
  url: string
  /**
   * The decompressed body. It throws an AppError 'too_large' or 'outside_slow' if a limit is exceeded. The caller must read or
   * cancel it.
   */
  body: ReadableStream<Uint8Array>
}

/**
 * Sends a GET request to an address that a user entered. All such requests must use this function. Allows only http(s) to
 * public addresses: it checks the resolved address of the connection, and every redirect. Private host:port pairs in
 * GUARDED_FETCH_ALLOW are also allowed. Throws an AppError: 'refused' for the address, 'outside_slow', 'too_large' or
 * 'outside_failed'. The caller must check the status.
 */
export async function guardedFetch(address: string | URL, options: GuardedFetchOptions): Promise<GuardedResponse> {
  const headers = new Headers({ 'user-agent': userAgent(), accept: options.accept ?? '*/*', ...options.headers })
  for (const name of NEVER_SENT) headers.delete(name)
  const agents: Agent[] = []
  const { response, url } = await boundedFetch(
    readAddress(address),
    {},
    {
      wholeMs: options.timeoutMs,
      maxBytes: options.maxBytes,
      signal: options.signal,
      describe: (kind, cause) => describeFailure(kind, options.maxBytes, cause),
      redirect: (location, from, _status, hop) => {
        if (hop > MAX_REDIRECTS)
          throw new AppError('outside_failed', 'The address redirects too often.', { permanent: true })
        return readAddress(location, from)
      },
      send: async (next, { signal }) => {
        const agent = openAgent(next)
        agents.push(agent)
        const response = await undiciFetch(next, {
          redirect: 'manual',
          dispatcher: agent,
          signal: signal ?? null,
          headers: [...headers],
        })
        // The Response of the package has the same members as the global one.
        return response as unknown as Response
      },
      onEnd: () => agents.forEach((agent) => void agent.destroy()),
    },
  )
  const body = response.body ?? new ReadableStream({ start: (sink) => sink.close() })
  return { status: response.status, headers: response.headers, url: url.href, body }
}

function describeFailure(kind: FailureKind, maxBytes: number, cause: unknown): AppError {
  if (kind === 'unreachable' || kind === 'broken_off')
    return new AppError('outside_failed', 'The address could not be read.', { cause })
  if (kind !== 'too_large') return new AppError('outside_slow', 'The address took too long to answer.')
  const megabytes = Math.floor(maxBytes / 1024 / 1024) || '<1'
  return new AppError('too_large', `The file at this address is larger than ${megabytes} MB.`)
}

const notPublic = () => new AppError('refused', 'This address is not public and cannot be read.')

/**
 * Parses an address and makes the checks that need no DNS lookup. Throws 'refused' if it is not allowed. The URL parser
 * converts forms of IPv4 such as 0x7f.1 and 2130706433 to the usual form.
 */
function readAddress(address: string | URL, base?: URL): URL {
  const url = URL.parse(String(address), base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AppError('refused', 'Only http and https addresses can be read.')
  if (url.username || url.password)
    throw new AppError('refused', 'The address must not contain a user name or a password.')
  const host = bareHost(url)
  // net.connect calls the lookup hook for names only, so a literal IP address is checked here.
  if (isIP(host) && !isPublicAddress(host) && !isAllowed(url)) throw notPublic()
  return url
}

const bareHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

function isAllowed(url: URL): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return env.GUARDED_FETCH_ALLOW.includes(`${url.hostname.toLowerCase()}:${port}`)
}

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Returns a lookup hook for connections that refuses private addresses. It checks the addresses that the connection uses, which
 * prevents DNS rebinding. A name is refused if one of its addresses is private.
 */
export function publicLookup(resolve: typeof resolveName = resolveName) {
  return (hostname: string, options: LookupOptions, done: LookupDone): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return done(notPublic(), [])
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}

/**
 * Returns an agent for the connection of one request. Connections are not pooled, because a pooled connection could be older
 * than the check of the address.
 */
const openAgent = (url: URL) =>
  new Agent({
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(isAllowed(url) ? {} : { lookup: publicLookup() }) },
  })
