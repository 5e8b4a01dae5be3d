import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'

export type Reply = (request: IncomingMessage, response: ServerResponse) => void

/** A web site on loopback. Tests define its responses, including broken and hostile ones. */
export interface FeedServer {
  url: string
  /** Host and port, for the setting GUARDED_FETCH_ALLOW of a server under test. */
  host: string
  /** Path and headers of every request. */
  requests: { path: string; headers: IncomingMessage['headers'] }[]
  /** Sets the response of a path, and returns the URL of the path. */
  set: (path: string, reply: Reply) => string
  stop: () => Promise<void>
}

/** Starts the web site on a free port. An unknown path answers 404. */
export async function startFeedServer(): Promise<FeedServer> {
  const replies = new Map<string, Reply>()
  const requests: FeedServer['requests'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push({ path, headers: request.headers })
    response.on('error', () => undefined)
    const reply = replies.get(path)
    if (reply) reply(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return {
    url: `http://${host}`,
    host,
    requests,
    set: (path, reply) => {
      replies.set(path, reply)
      return `http://${host}${path}`
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Returns a reply with status 200, this body, this media type and further headers. */
export const body =
  (content: string | Uint8Array, type = 'application/rss+xml', headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(content)

/** Returns a reply with this status and these headers. */
export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    void response.writeHead(code, headers).end('nothing here')

/** Returns a reply that redirects to an address with status 302. */
export const redirect = (to: string): Reply => status(302, { location: to })

/** Sends the headers, then one byte every half second, without end. */
export const slow: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  const timer = setInterval(() => response.write(' '), 500)
  response.on('close', () => clearInterval(timer))
}

/** Sends a body without end. */
export const endless: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  const piece = Buffer.alloc(65_536, '<item>')
  const more = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** Sends a small gzip body that decompresses to one gigabyte. */
export const gzipBomb: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/rss+xml', 'content-encoding': 'gzip' })
  const pack = createGzip({ level: 1 })
  pack.pipe(response)
  const piece = Buffer.alloc(1 << 20)
  let left = 1024
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!pack.write(piece)) return void pack.once('drain', more)
    }
    pack.end()
  }
  response.on('close', () => pack.destroy())
  pack.on('error', () => undefined)
  more()
}

/** Returns an RSS 2.0 feed. `items` are the contents of its `item` elements. */
export const rss = (...items: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>T</title><link>https://journal.example.org/</link>${items
    .map((item) => `<item>${item}</item>`)
    .join('')}</channel></rss>`

/**
 * Returns the content of an `item` element: a title, a link that is derived from the title, the date `hours` ago, and the XML
 * `more`.
 */
export const item = (title: string, hours = 1, more = '') =>
  `<title>${title}</title><link>https://journal.example.org/${encodeURIComponent(title)}</link><pubDate>${new Date(
    Date.now() - hours * 3_600_000,
  ).toUTCString()}</pubDate>${more}`
