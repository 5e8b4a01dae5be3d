import type { z } from 'zod'
import { guardedFetch } from '#server/fetch/guarded-fetch.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { ZOTERO_KEY_REFUSED, ZOTERO_LIBRARY_REFUSED, type ZoteroLibrary } from '#shared/contract/zotero.ts'
import { createService, PERSON_WAITS_MS, readJson } from '../service.ts'
import { notePause, waitForPause } from './pauses.ts'
import { childrenWire, collectionsWire, deletedWire, groupsWire, keyWire, type ZoteroChild } from './wire.ts'

const NAME = 'Zotero'
const service = createService(NAME, 6)
/** Number of entries in a page, the maximum of the Zotero API. */
const PAGE = 100
/** Maximum number of pages of a list of collections, groups or children. */
const MAX_PAGES = 200
const PAGE_MAX_BYTES = 50 * 1024 * 1024
const PAGE_MS = 120_000
const DOWNLOAD_MS = 15 * 60_000

/**
 * The settings of requests to Zotero for a user: the user's API key, and how long a request may wait if Zotero has asked
 * clients to send no requests for some time (a pause).
 */
export interface ZoteroAccess {
  key: string
  signal: AbortSignal
  /**
   * Whether a queued job sends the requests. A job waits for a pause of up to 15 minutes; a user who waits in the browser, up
   * to 3 seconds. If Zotero asks for a longer pause, the request throws 'too_many'.
   */
  isJob: boolean
  /** Called with a message for the user when a request must wait for the end of a pause. */
  onWait?: (message: string) => void
}

/** One page of the items of a Zotero library, as the text of its JSON. */
export interface ZoteroPage {
  text: string
  /** Number of items in the whole list. */
  total: number
  /** The version of the library. Zotero increases it with every change. */
  version: number
}

/**
 * Returns the name of the user of an API key, and the user's own library and group libraries; `readable` is true if the key may
 * read a library. Throws 'refused' for a key that Zotero does not accept.
 */
export async function readKey(access: ZoteroAccess): Promise<{ username: string; libraries: ZoteroLibrary[] }> {
  const found = await currentKey(access)
  const rights = found.access.groups ?? {}
  const groups = await readAll(`/users/${found.userID}/groups`, groupsWire, access)
  return {
    username: found.username,
    libraries: [
      { library: `users/${found.userID}`, name: 'My library', readable: found.access.user?.library === true },
      ...groups.map(({ id, data }) => ({
        library: `groups/${id}`,
        name: data.name,
        readable: (rights[id] ?? rights['all'])?.library === true,
      })),
    ],
  }
}

async function currentKey(access: ZoteroAccess): Promise<z.output<typeof keyWire>> {
  const response = await get('/keys/current', {}, access)
  if (response.ok) return readJson(NAME, response, keyWire)
  await response.body?.cancel()
  if ([400, 401, 403, 404].includes(response.status))
    throw new AppError('refused', ZOTERO_KEY_REFUSED, { permanent: true })
  throw unexpected(response)
}

/** Returns the collections of a library. Throws 'refused' when the key may not read it. */
export const readCollections = (library: string, access: ZoteroAccess) =>
  readAll(`/${library}/collections`, collectionsWire, access)

/** Returns the number of top-level items of a library. */
export async function countItems(library: string, access: ZoteroAccess): Promise<number> {
  const response = await getOfLibrary(`/${library}/items/top`, { format: 'json', limit: '1' }, access)
  const { total } = await pageOf(response)
  return total
}

/**
 * Returns a page of the top-level items of a library, or of one of its collections, with CSL-JSON. The oldest items come first,
 * so that new items do not shift the positions of the others. With `since`, returns only items that changed after this version
 * of the library, including items in the trash; `withTrash` includes them without `since`. With `unlessVersion`, returns null
 * if the library still has this version.
 */
export async function readItems(
  { library, collection, start, since, withTrash = since !== undefined, unlessVersion }: ItemsPage,
  access: ZoteroAccess,
): Promise<ZoteroPage | null> {
  const path = collection ? `/${library}/collections/${collection}/items/top` : `/${library}/items/top`
  const changed: Record<string, string> = {
    ...(since !== undefined && { since: String(since) }),
    ...(withTrash && { includeTrashed: '1' }),
  }
  const order = { sort: 'dateAdded', direction: 'asc' }
  const page = { format: 'json', include: 'data,csljson', limit: String(PAGE), start: String(start) }
  const condition: Record<string, string> =
    unlessVersion === undefined ? {} : { 'if-modified-since-version': String(unlessVersion) }
  const response = await get(path, { ...page, ...changed, ...order }, access, condition)
  if (response.status === 304 && unlessVersion !== undefined) return null
  if (!response.ok) throw await refused(response, access)
  return pageOf(response)
}

/** Selects a page of items. `start` is the position of its first item, counted from 0. */
export interface ItemsPage {
  library: string
  collection?: string | undefined
  start: number
  since?: number | undefined
  withTrash?: boolean | undefined
  unlessVersion?: number | undefined
}

/** Returns the attachments and notes of an item; an item that no longer exists has none. */
export const readChildren = (library: string, item: string, access: ZoteroAccess): Promise<ZoteroChild[]> =>
  readAll(`/${library}/items/${item}/children`, childrenWire, access, { sort: 'dateAdded', direction: 'asc' })

/** Returns the attachments that changed after a version of the library. */
export const readChangedAttachments = (library: string, since: number, access: ZoteroAccess): Promise<ZoteroChild[]> =>
  readAll(`/${library}/items`, childrenWire, access, { itemType: 'attachment', since: String(since) })

/** Returns the keys of the items that were deleted after a version of the library. */
export async function readDeleted(library: string, since: number, access: ZoteroAccess): Promise<string[]> {
  const response = await getOfLibrary(`/${library}/deleted`, { since: String(since) }, access)
  return (await readJson(NAME, response, deletedWire)).items
}

/**
 * Returns the file of an attachment as a stream, which the caller must read or cancel; null when the file is not in the storage
 * of Zotero. The API key is sent only to Zotero, not to the storage to which Zotero redirects. Throws 'refused' when the key
 * may not read the files of the library.
 */
export async function openZoteroFile(
  library: string,
  item: string,
  access: ZoteroAccess,
): Promise<ReadableStream<Uint8Array> | null> {
  const maxBytes = env.MAX_UPLOAD_MB * 1024 * 1024
  const limits = { maxBytes, downloadMs: DOWNLOAD_MS }
  const response = await get(`/${library}/items/${item}/file`, {}, access, {}, limits)
  if (response.status === 200 && response.body) return response.body
  await response.body?.cancel()
  if (response.status === 404 || response.status === 204) return null
  const location = response.headers.get('location')
  const target = location ? URL.parse(location, env.ZOTERO_URL) : null
  if ([401, 403].includes(response.status)) {
    await currentKey(access)
    throw new AppError(
      'refused',
      'This Zotero key cannot read the files of this library. Allow file access in the settings of the key at zotero.org.',
    )
  }
  if (response.status < 300 || response.status > 399 || !target) throw unexpected(response)
  const { signal } = access
  const file = await guardedFetch(target, { maxBytes, timeoutMs: DOWNLOAD_MS, accept: 'application/pdf', signal })
  if (file.status === 200) return file.body
  await file.body.cancel()
  if (file.status === 404) return null
  throw new AppError('outside_failed', `The storage of ${NAME} answered ${file.status}.`)
}

/** Reads the pages of a list, at most 200, and returns their entries. */
async function readAll<S extends z.ZodArray>(
  path: string,
  schema: S,
  access: ZoteroAccess,
  params: Record<string, string> = {},
): Promise<z.output<S>> {
  const rows: unknown[] = []
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { ...params, format: 'json', limit: String(PAGE), start: String(page * PAGE) }
    const response = await getOfLibrary(path, query, access)
    const found = await readJson(NAME, response, schema)
    rows.push(...found)
    if (found.length < PAGE || rows.length >= Number(response.headers.get('total-results') ?? Infinity)) break
  }
  return rows as z.output<S>
}

async function pageOf(response: Response): Promise<ZoteroPage> {
  const total = Number(response.headers.get('total-results') ?? NaN)
  const version = Number(response.headers.get('last-modified-version') ?? NaN)
  if (!Number.isInteger(total) || !Number.isInteger(version))
    throw new AppError('outside_failed', `${NAME} gave an answer that does not follow the protocol.`)
  return { text: await response.text(), total, version }
}

async function getOfLibrary(path: string, params: Record<string, string>, access: ZoteroAccess): Promise<Response> {
  const response = await get(path, params, access)
  if (!response.ok) throw await refused(response, access)
  return response
}

async function get(
  path: string,
  params: Record<string, string>,
  access: ZoteroAccess,
  headers: Record<string, string> = {},
  limits: { maxBytes: number; downloadMs?: number } = { maxBytes: PAGE_MAX_BYTES },
): Promise<Response> {
  const { key, signal, isJob } = access
  await waitForPause(key, access)
  const url = new URL(env.ZOTERO_URL.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return service.call(url, {
    signal,
    withinMs: isJob ? PAGE_MS : PERSON_WAITS_MS,
    headers: { 'zotero-api-key': key, 'zotero-api-version': '3', ...headers },
    inspect: (response) => notePause(key, response),
    ...limits,
  })
}

/**
 * Returns the error of a response that is not ok: 'refused' if the key may not read the library. Throws 'refused' if Zotero
 * does not accept the key itself.
 */
async function refused(response: Response, access: ZoteroAccess): Promise<AppError> {
  await response.body?.cancel()
  if (![401, 403, 404].includes(response.status)) return unexpected(response)
  await currentKey(access)
  return new AppError('refused', ZOTERO_LIBRARY_REFUSED, { permanent: true })
}

const unexpected = ({ status }: Response) =>
  new AppError('outside_failed', `${NAME} rejected the request.`, {
    cause: new Error(`${NAME} answered ${status}`),
    permanent: true,
  })
