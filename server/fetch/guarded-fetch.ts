import { lookup as resolveName } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { isPublicAddress } from './public-address.ts'
import { userAgent } from './user-agent.ts'

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 10_000
/** Headers that are never sent, at any hop, whatever the caller passes. */
const NEVER_SENT = ['authorization', 'cookie', 'proxy-authorization', 'host']

export interface GuardedFetchOptions {
  /** Maximum size of the body in bytes, after decompression. */
  maxBytes: number
  /** Time limit from the call to the last byte of the body, redirects included. */
  timeoutMs: number
  /** The Accept header, for example 'application/pdf'. */
  accept?: string
  headers?: Record<string, string>
}

export interface GuardedResponse {
  status: number
  headers: Headers
  /** The final address, after redirects. */
  url: string
  /**
   * Decompressed. Errors with an AppError 'too_large' or 'outside_slow' when a limit is exceeded. Read it or cancel it.
   */
  body: ReadableStream<Uint8Array>
}

/**
 * Sends a GET request to an address that a user entered. All such requests must use this function. Only http(s) to
 * public addresses: the check applies to the resolved address that is connected to, and to every redirect.
 * GUARDED_FETCH_ALLOW names host:port pairs that may be private. Throws an AppError: 'refused' for the address,
 * 'outside_slow', 'too_large', 'outside_failed'. The caller must check the status.
 */
export async function guardedFetch(address: string | URL, options: GuardedFetchOptions): Promise<GuardedResponse> {
  const stop = new AbortController()
  const timer = setTimeout(
    () => stop.abort(new AppError('outside_slow', 'The address took too long to answer.')),
    options.timeoutMs,
  )
  try {
    let url = readAddress(address)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const hop = await request(url, options, stop.signal)
      const location = hop.response.headers.get('location')
      if (![301, 302, 303, 307, 308].includes(hop.response.status) || !location)
        return present(hop, url, options, timer, stop)
      await hop.close()
      url = readAddress(location, url)
    }
    throw new AppError('outside_failed', 'The address redirects too often.', { permanent: true })
  } catch (error) {
    clearTimeout(timer)
    throw readError(error, stop.signal)
  }
}

const notPublic = () => new AppError('refused', 'This address is not public and cannot be read.')

/**
 * Parses an address and makes the checks that need no DNS lookup. The URL parser turns 0x7f.1, 2130706433 and similar
 * forms into plain IPv4.
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
 * Returns the lookup hook of the connection. It checks the addresses that are connected to, which defeats DNS
 * rebinding. One private address among several refuses the name.
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

type Hop = Awaited<ReturnType<typeof request>>

/** Sends one request on a new connection: a pooled connection could predate the check. */
async function request(url: URL, options: GuardedFetchOptions, signal: AbortSignal) {
  const agent = new Agent({
    allowH2: false,
    connect: { timeout: CONNECT_TIMEOUT_MS, ...(isAllowed(url) ? {} : { lookup: publicLookup() }) },
  })
  const headers = new Headers({ 'user-agent': userAgent(), accept: options.accept ?? '*/*', ...options.headers })
  for (const name of NEVER_SENT) headers.delete(name)
  const close = () => agent.destroy()
  try {
    const response = await undiciFetch(url, { redirect: 'manual', dispatcher: agent, signal, headers: [...headers] })
    return { response, close }
  } catch (error) {
    await close()
    throw error
  }
}

function present(
  { response, close }: Hop,
  url: URL,
  { maxBytes }: GuardedFetchOptions,
  timer: NodeJS.Timeout,
  stop: AbortController,
): GuardedResponse {
  const headers = new Headers([...response.headers])
  const compressed = headers.has('content-encoding')
  const tooLarge = () =>
    new AppError(
      'too_large',
      `The file at this address is larger than ${Math.floor(maxBytes / 1024 / 1024) || '<1'} MB.`,
    )
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    void close()
    throw tooLarge()
  }
  if (compressed) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  let bytes = 0
  const end = async () => {
    clearTimeout(timer)
    await close()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(sink) {
        try {
          const piece = await reader?.read()
          if (!piece || piece.done) {
            await end()
            return sink.close()
          }
          bytes += piece.value.byteLength
          if (bytes > maxBytes) throw tooLarge()
          sink.enqueue(piece.value)
        } catch (error) {
          await end()
          sink.error(readError(error, stop.signal))
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return { status: response.status, headers, url: url.href, body }
}

/** Returns the AppError within `error` (undici wraps the lookup's), else a general 'outside_failed'. */
function readError(error: unknown, signal: AbortSignal): AppError {
  if (signal.aborted && signal.reason instanceof AppError) return signal.reason
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one
  return new AppError('outside_failed', 'The address could not be read.', { cause: error })
}
