import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An item of a simulated Zotero library. `csl`: its metadata as CSL-JSON. `parent`: the key of the parent item, for an
 * attachment or a note.
 */
export interface ZoteroSample {
  key: string
  csl?: Record<string, unknown>
  data?: Record<string, unknown>
  parent?: string
  /** Content of the file of an attachment. */
  file?: Uint8Array
}

interface Stored extends ZoteroSample {
  version: number
}

interface Library {
  name: string
  version: number
  items: Map<string, Stored>
  collections: Map<string, { name: string; parent?: string; version: number }>
  deleted: Map<string, number>
}

/**
 * A simulation of the Zotero Web API, version 3, on loopback. Downloads of files are redirected to a second path, the storage.
 */
export interface ZoteroServer {
  url: string
  /** Settings for a server under test: ZOTERO_URL, and GUARDED_FETCH_ALLOW for the storage. */
  env: Record<string, string>
  /** The received requests: path with query, API key and time in ms. A request to the storage has the path 'storage'. */
  seen: { path: string; key: string | undefined; at: number }[]
  /** Adds or replaces items of a library, and increases the version of the library. */
  put: (library: string, ...items: ZoteroSample[]) => void
  addCollection: (library: string, key: string, name: string, parent?: string) => void
  remove: (library: string, ...keys: string[]) => void
  /** Sets the libraries that an API key can read. null: every key is invalid. */
  allow: (libraries: string[] | null) => void
  /**
   * Adds these headers to the next `times` responses, and replaces the status if it is given. With `only`, affects only
   * requests whose path matches.
   */
  misbehave: (next: { status?: number; headers?: Record<string, string>; times: number; only?: RegExp }) => void
  /** Delays the responses to requests whose path matches, until the returned function is called. */
  hold: (only: RegExp) => () => void
  /**
   * Removes all items and collections, but does not list them as deleted. Ends the effects of `misbehave` and `allow`, and
   * clears `seen`.
   */
  reset: () => void
  stop: () => Promise<void>
}

export const ZOTERO_USER = 4711
export const ZOTERO_KEY = 'P9NiFoyLeZu2bZNvvuQPx7Qf'
/** Every API key that begins with these characters is valid. */
const KEYS = ZOTERO_KEY.slice(0, 20)
const OWN = `users/${ZOTERO_USER}`
const GROUP = 'groups/88'

/** Starts the simulated Zotero server with the user's own library and a group library. Both are empty. */
export async function startZoteroServer(): Promise<ZoteroServer> {
  const emptyLibrary = (name: string): Library => ({
    name,
    version: 1,
    items: new Map(),
    collections: new Map(),
    deleted: new Map(),
  })
  const libraries = new Map([
    [OWN, emptyLibrary('My library')],
    [GROUP, emptyLibrary('Sleep lab reading group')],
  ])
  const seen: ZoteroServer['seen'] = []
  let allowed: string[] | null = [OWN, GROUP]
  let trouble: Parameters<ZoteroServer['misbehave']>[0] | undefined
  let held: { only: RegExp; released: Promise<void> } | undefined

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    const key = request.headers['zotero-api-key'] as string | undefined
    const storage = /^\/storage\/(\w+\/\d+)\/(\w+)$/.exec(url.pathname)
    seen.push({ path: storage ? 'storage' : url.pathname + url.search, key, at: performance.now() })
    if (held?.only.test(url.pathname)) void held.released.then(() => respond(url, storage, request, response))
    else respond(url, storage, request, response)
  })

  function respond(
    url: URL,
    storage: RegExpExecArray | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const key = request.headers['zotero-api-key'] as string | undefined
    if (storage) {
      const file = libraries.get(storage[1]!)?.items.get(storage[2]!)?.file
      return void response.writeHead(file ? 200 : 404, { 'content-type': 'application/pdf' }).end(file)
    }
    const isTroubled = trouble && trouble.times > 0 && (!trouble.only || trouble.only.test(url.pathname))
    const extra = isTroubled ? (trouble!.headers ?? {}) : {}
    if (isTroubled) trouble!.times -= 1
    if (isTroubled && trouble!.status) return void response.writeHead(trouble!.status, extra).end('no')
    if (!key?.startsWith(KEYS) || allowed === null || request.headers['zotero-api-version'] !== '3')
      return void response.writeHead(403, extra).end('Invalid key')
    answer(url, request, response, extra)
  }

  function answer(url: URL, request: IncomingMessage, response: ServerResponse, extra: Record<string, string>): void {
    const json = (content: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', ...extra, ...headers })
        .end(JSON.stringify(content))
    const refuse = (status: number) => void response.writeHead(status, extra).end('no')
    if (url.pathname === '/keys/current') return json(keyOf(allowed!))
    if (url.pathname === `/users/${ZOTERO_USER}/groups`)
      return json([{ id: 88, version: 1, data: { id: 88, name: libraries.get(GROUP)!.name } }], {
        'total-results': '1',
      })
    const [, name = '', rest = ''] = /^\/(\w+\/\d+)\/(.*)$/.exec(url.pathname) ?? []
    const library = libraries.get(name)
    if (!library) return refuse(404)
    if (!allowed!.includes(name)) return refuse(403)
    const version = { 'last-modified-version': String(library.version) }
    const known = request.headers['if-modified-since-version']
    if (known !== undefined && Number(known) >= library.version)
      return void response.writeHead(304, { ...version, ...extra }).end()
    const [, fileKey] = /^items\/(\w+)\/file$/.exec(rest) ?? []
    if (fileKey) {
      const item = library.items.get(fileKey)
      if (!item?.file) return refuse(404)
      const target = `http://${host()}/storage/${name}/${fileKey}`
      return void response.writeHead(302, { location: target, ...extra }).end()
    }
    const since = Number(url.searchParams.get('since') ?? 0)
    if (rest === 'deleted') {
      const items = [...library.deleted].filter(([, at]) => at > since).map(([key]) => key)
      return json({ items, collections: [], searches: [], tags: [] }, version)
    }
    const rows = rowsOf(library, rest, url)
    if (!rows) return refuse(404)
    const start = Number(url.searchParams.get('start') ?? 0)
    const limit = Math.min(100, Number(url.searchParams.get('limit') ?? 25))
    json(rows.slice(start, start + limit), { ...version, 'total-results': String(rows.length) })
  }

  function rowsOf(library: Library, rest: string, url: URL): unknown[] | undefined {
    const since = Number(url.searchParams.get('since') ?? 0)
    const all = [...library.items.values()].filter(
      (item) => item.version > since && (!item.data?.['deleted'] || url.searchParams.get('includeTrashed') === '1'),
    )
    const top = all.filter((item) => item.parent === undefined)
    const [, collection] = /^collections\/(\w+)\/items\/top$/.exec(rest) ?? []
    const [, parent] = /^items\/(\w+)\/children$/.exec(rest) ?? []
    const present = (items: Stored[]) => items.map((item) => presentItem(library, item))
    const isIn = (item: Stored, key: string) =>
      ((item.data?.['collections'] as string[] | undefined) ?? []).includes(key)
    if (collection) return present(top.filter((item) => isIn(item, collection)))
    if (parent) return present(all.filter((item) => item.parent === parent))
    if (rest === 'items/top') return present(top)
    if (rest === 'items') {
      const type = url.searchParams.get('itemType')
      return present(all.filter((item) => !type || (item.data?.['itemType'] ?? 'journalArticle') === type))
    }
    if (rest !== 'collections') return undefined
    return [...library.collections].map(([key, { name, parent: above, version }]) => ({
      key,
      version,
      meta: { numItems: [...library.items.values()].filter((item) => !item.parent && isIn(item, key)).length },
      data: { key, version, name, parentCollection: above ?? false },
    }))
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const host = () => `127.0.0.1:${(server.address() as AddressInfo).port}`
  const change = (name: string, work: (library: Library) => void) => {
    const library = libraries.get(name)!
    library.version += 3
    work(library)
  }
  return {
    url: `http://${host()}`,
    env: { ZOTERO_URL: `http://${host()}`, GUARDED_FETCH_ALLOW: host() },
    seen,
    put: (name, ...items) =>
      change(name, (library) => {
        for (const item of items) library.items.set(item.key, { ...item, version: library.version })
      }),
    addCollection: (name, key, title, parent) =>
      change(name, (library) =>
        library.collections.set(key, { name: title, version: library.version, ...(parent ? { parent } : {}) }),
      ),
    remove: (name, ...keys) =>
      change(name, (library) => {
        for (const key of keys) {
          library.items.delete(key)
          library.deleted.set(key, library.version)
        }
      }),
    allow: (given) => {
      allowed = given
    },
    misbehave: (next) => {
      trouble = next
    },
    hold: (only) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = { only, released: promise }
      return () => {
        held = undefined
        resolve()
      }
    },
    reset: () => {
      trouble = undefined
      allowed = [OWN, GROUP]
      seen.length = 0
      for (const library of libraries.values()) {
        library.version += 1
        for (const rows of [library.items, library.collections, library.deleted]) rows.clear()
      }
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

const keyOf = (allowed: string[]) => ({
  key: ZOTERO_KEY,
  userID: ZOTERO_USER,
  username: 'ines.marlowe',
  access: {
    user: { library: allowed.includes(OWN), files: true },
    groups: { 88: { library: allowed.includes(GROUP), write: false } },
  },
})

/** Returns an item as the Zotero API does for `format=json&include=data,csljson`. */
function presentItem(library: Library, { key, version, csl, data, parent }: Stored) {
  const children = [...library.items.values()].filter((one) => one.parent === key).length
  return {
    key,
    version,
    library: { type: 'user', id: ZOTERO_USER, name: library.name, links: {} },
    links: { alternate: { href: `https://www.zotero.org/ines.marlowe/items/${key}`, type: 'text/html' } },
    meta: { numChildren: children },
    ...(csl ? { csljson: { id: `${ZOTERO_USER}/${key}`, ...csl } } : {}),
    data: {
      key,
      version,
      itemType: 'journalArticle',
      title: csl?.['title'] ?? '',
      extra: '',
      tags: [],
      collections: [],
      relations: {},
      dateAdded: '2026-01-01T00:00:00Z',
      ...(parent ? { parentItem: parent } : {}),
      ...data,
    },
  }
}
