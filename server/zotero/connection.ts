import { seal, unseal } from '#server/auth/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { countItems, readCollections, readKey, type ZoteroAccess } from '#server/external/index.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { ALL_PROJECTS_NEEDED } from '#shared/contract/api-keys.ts'
import {
  ZOTERO_KEY_REFUSED,
  ZOTERO_LIBRARY_REFUSED,
  ZOTERO_NOT_CONNECTED,
  type ZoteroConnection,
  type ZoteroLibrary,
  type ZoteroTree,
} from '#shared/contract/zotero.ts'
import {
  deleteConnectionRow,
  findConnectionRow,
  saveConnectionRow,
  type StoredConnection,
  updateConnectionRow,
} from './connection-queries.ts'
import { stopSchedulesOf } from './library-queries.ts'

const LAST_SHOWN = 4

const present = ({ username, last_four, libraries, error }: StoredConnection): ZoteroConnection => ({
  username,
  last_four,
  libraries,
  error,
})

/** Returns the caller's connection to Zotero; null if there is none, or if it belongs to another Zotero server (ZOTERO_URL). */
export async function getConnection(actor: Actor): Promise<ZoteroConnection> {
  const row = await asActor(actor, (tx) => findConnectionRow(tx, actor.userId))
  return row?.server === env.ZOTERO_URL ? present(row) : null
}

/**
 * Checks an API key at Zotero and stores it encrypted; replaces an earlier key. Throws 'refused' for a key that Zotero does not
 * accept.
 */
export async function connect(actor: Actor, key: string, signal: AbortSignal): Promise<ZoteroConnection> {
  const { username, libraries } = await readKey({ key, signal, isJob: false })
  const sealed = { sealed_key: seal(Buffer.from(key), 'zotero key'), last_four: key.slice(-LAST_SHOWN) }
  const row = { user_id: actor.userId, server: env.ZOTERO_URL, ...sealed, username, libraries }
  return present(await asActor(actor, (tx) => saveConnectionRow(tx, row)))
}

/** Deletes the Zotero key of the caller, and stops the scheduled synchronizations that use it. */
export const disconnect = (actor: Actor): Promise<void> =>
  asActor(actor, async (tx) => {
    await stopSchedulesOf(tx, actor.userId)
    await deleteConnectionRow(tx, actor.userId)
  })

/**
 * Returns the Zotero key of the caller (`key`), the same key in its stored, encrypted form (`sealed_key`), and the libraries
 * that the key can access. Throws 'refused' if the caller has no connection to Zotero. Throws 'scope' if the caller uses a
 * Lectern API key that is limited to projects, because Zotero libraries belong to no project.
 */
export async function keyOf(actor: Actor): Promise<{ key: string; sealed_key: string; libraries: ZoteroLibrary[] }> {
  if (actor.key?.projects) throw new AppError('scope', ALL_PROJECTS_NEEDED)
  const row = await asActor(actor, (tx) => findConnectionRow(tx, actor.userId))
  const key = row?.server === env.ZOTERO_URL ? unseal(row.sealed_key, 'zotero key')?.toString() : undefined
  if (!row || key === undefined) throw new AppError('refused', ZOTERO_NOT_CONNECTED)
  return { key, sealed_key: row.sealed_key, libraries: row.libraries }
}

/** Returns the Zotero libraries of the caller with their collections. A library that cannot be read has an `error` instead. */
export async function listCollections(actor: Actor, signal: AbortSignal): Promise<ZoteroTree[]> {
  const { key, sealed_key } = await keyOf(actor)
  const access: ZoteroAccess = { key, signal, isJob: false }
  const { username, libraries } = await readKey(access).catch(async (error: unknown) => {
    if (error instanceof AppError && error.message === ZOTERO_KEY_REFUSED) await noteRefusedKey(actor, sealed_key)
    throw error
  })
  const used = { user_id: actor.userId, sealed_key }
  await asActor(actor, (tx) => updateConnectionRow(tx, used, { username, libraries, error: null }))
  return Promise.all(libraries.map((library) => readTree(library, access)))
}

/** Stores in the connection of a user that Zotero no longer accepts the key, unless the user has replaced it. */
export const noteRefusedKey = (actor: Actor, sealed_key: string): Promise<void> =>
  asActor(actor, (tx) => updateConnectionRow(tx, { user_id: actor.userId, sealed_key }, { error: ZOTERO_KEY_REFUSED }))

/** Returns whether the stored Zotero key of a user is still the key that `keyOf` returned as `sealed_key`. */
export const isStoredKey = async (actor: Actor, sealed_key: string): Promise<boolean> =>
  (await asActor(actor, (tx) => findConnectionRow(tx, actor.userId)))?.sealed_key === sealed_key

async function readTree(library: ZoteroLibrary, access: ZoteroAccess): Promise<ZoteroTree> {
  const unread = (error: string) => ({ ...library, count: null, error, collections: [] })
  if (!library.readable) return unread(ZOTERO_LIBRARY_REFUSED)
  try {
    const [collections, count] = await Promise.all([
      readCollections(library.library, access),
      countItems(library.library, access),
    ])
    const known = new Set(collections.map(({ key }) => key))
    const rows = collections.map(({ key, data, meta }) => ({
      key,
      name: data.name,
      // A parent can be in the trash.
      parent: data.parentCollection && known.has(data.parentCollection) ? data.parentCollection : null,
      count: meta.numItems ?? 0,
    }))
    const order = new Intl.Collator('en', { numeric: true })
    return { ...library, count, error: null, collections: rows.toSorted((a, b) => order.compare(a.name, b.name)) }
  } catch (error) {
    if (access.signal.aborted || !(error instanceof AppError)) throw error
    return unread(error.message)
  }
}
