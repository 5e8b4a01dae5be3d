import { asActor, type Tx } from '#server/db/client.ts'
import { readChangedAttachments, readCollections, readDeleted, readItems } from '#server/external/index.ts'
import { publishChanges } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { ZOTERO_COLLECTIONS_REMOVED } from '#shared/contract/zotero.ts'
import { addItems, changedFields, type ChangedItem } from './add-items.ts'
import type { ZoteroItem } from './item-of.ts'
import {
  awaitFiles,
  forgetMissedChanges,
  listExistingDocuments,
  listItemRows,
  markRemovedRows,
  noteMissedChanges,
  updateItemRow,
} from './item-queries.ts'
import { type LibraryChange, type StoredLibrary, updateLibraryRow } from './library-queries.ts'
import { readItemsOf } from './read-items.ts'
import { applyChanges } from './update-item.ts'
import { stateOf, type Work } from './work.ts'

/**
 * Number of items that one transaction stores, the number on a page. It is small because other transactions wait for this
 * transaction on the embedded database.
 */
const AT_ONCE = 100

/** Number of items that were read (`done`), and of all items to read (`total`). */
interface Progress {
  done: number
  total: number
}

/**
 * Reads the items of a library that changed since its last import, and stores them in the project. Sends only one request if
 * nothing changed (FMT-83). Reads all items if an item changed while its document was in the trash and the document has been
 * restored. After an interruption, the items are read again, and no change is stored twice.
 */
export async function syncLibrary(work: Work, library: StoredLibrary): Promise<void> {
  const { id } = library
  const version = await asActor(work.actor, async (tx) => {
    if (!(await forgetMissedChanges(tx, id))) return library.version
    // Stored, so that an attempt after a failure also reads all items.
    await updateLibraryRow(tx, id, { version: null })
    return null
  })
  const change = version === null ? await readAll(work, library) : await readChanged(work, library, version)
  if (!change) return
  await asActor(work.actor, async (tx) => {
    await work.run.assertStillRunning(tx)
    await updateLibraryRow(tx, id, change)
  })
}

async function readAll(work: Work, library: StoredLibrary): Promise<LibraryChange> {
  const tree = await expand(work, library)
  const progress: Progress = { done: 0, total: tree.count }
  const withTrash = library.last_synced_at !== null
  let version = Infinity
  for (const collection of tree.wanted ?? [undefined])
    version = Math.min(
      version,
      await readPages(work, { ...library, ...tree.names }, { collection, withTrash, progress }),
    )
  // A new choice of options forgets the version of the last import, so all deletions are read.
  if (withTrash)
    work.counts.removed += await markRemoved(work, library, await readDeleted(library.library, 0, work.access))
  return { version, read_collections: tree.wanted, ...tree.names }
}

async function readChanged(work: Work, library: StoredLibrary, since: number): Promise<LibraryChange | null> {
  const { actor, access, counts } = work
  const path = library.library
  const first = await readItems({ library: path, start: 0, since, unlessVersion: since }, access)
  if (first === null) return null
  const tree = await expand(work, library)
  const named = { ...library, ...tree.names }
  const progress: Progress = { done: 0, total: first.total }
  const wanted = tree.wanted && new Set(tree.wanted)
  const isWanted = (item: ZoteroItem) => !wanted || item.collections.some((key) => wanted.has(key))
  await readPages(work, named, { since, first, isWanted, progress })
  // Items do not change when their collection is moved into a chosen one, so they are read separately.
  for (const collection of tree.wanted?.filter((key) => !library.read_collections?.includes(key)) ?? [])
    await readPages(work, named, { collection, progress })
  const deleted = await readDeleted(path, since, access)
  counts.removed += await markRemoved(work, library, deleted)
  if (library.with_pdfs) {
    const files = await readChangedAttachments(path, since, access)
    const parents = files.flatMap(({ data }) => data.parentItem || [])
    if (parents.length > 0) await asActor(actor, (tx) => awaitChangedFiles(tx, library, parents))
  }
  return { version: first.version, read_collections: tree.wanted, ...tree.names }
}

/** Flags the items with `keys`, whose attachments changed, so that their PDFs are fetched. */
async function awaitChangedFiles(tx: Tx, library: StoredLibrary, keys: readonly string[]): Promise<void> {
  await awaitFiles(tx, library.id, { keys })
  const known = [...(await listItemRows(tx, library.id, keys)).values()]
  const existing = await listExistingDocuments(tx, library.project_id, known)
  const missed = known.filter(({ document_id }) => document_id !== null && !existing.has(document_id))
  await noteMissedChanges(
    tx,
    library.id,
    missed.map(({ item_key }) => item_key),
  )
}

/**
 * Returns the keys of the collections to read: the chosen collections and, if the user wants, their subcollections (`wanted`;
 * null for the whole library). Also returns the number of their items, and the names of the chosen collections. Throws
 * 'refused' if none of the chosen collections is in Zotero.
 */
async function expand({ access }: Work, library: StoredLibrary) {
  const chosen = library.collections
  if (chosen === null) return { wanted: null, count: 0, names: { collection_names: [] } }
  const collections = await readCollections(library.library, access)
  const names = collections.filter(({ key }) => chosen.includes(key)).map(({ data }) => data.name)
  const wanted = new Set(collections.filter(({ key }) => chosen.includes(key)).map(({ key }) => key))
  if (wanted.size === 0) throw new AppError('refused', ZOTERO_COLLECTIONS_REMOVED)
  for (let size = 0; library.with_subcollections && size < wanted.size;) {
    size = wanted.size
    for (const { key, data } of collections)
      if (data.parentCollection && wanted.has(data.parentCollection)) wanted.add(key)
  }
  const count = collections.reduce((sum, { key, meta }) => sum + (wanted.has(key) ? (meta.numItems ?? 0) : 0), 0)
  return { wanted: [...wanted], count, names: { collection_names: names } }
}

/** Reads all pages of a list of items, and stores the items. Returns the version that the library had at the first page. */
async function readPages(
  work: Work,
  library: StoredLibrary,
  list: {
    collection?: string | undefined
    since?: number
    withTrash?: boolean
    first?: NonNullable<Awaited<ReturnType<typeof readItems>>>
    isWanted?: (item: ZoteroItem) => boolean
    progress: Progress
  },
): Promise<number> {
  const { collection, since, withTrash, isWanted = () => true, progress } = list
  let version: number | undefined
  for (let start = 0; ;) {
    const page =
      start === 0 && list.first
        ? list.first
        : (await readItems({ library: library.library, collection, start, since, withTrash }, work.access))!
    version ??= page.version
    progress.total = Math.max(progress.total, progress.done + page.total - start)
    const items = await readItemsOf(page.text, work.actor.userId)
    await storeItems(work, library, items, isWanted, progress)
    start += items.length
    if (items.length === 0 || start >= page.total) return version
  }
}

async function storeItems(
  work: Work,
  library: StoredLibrary,
  items: readonly ZoteroItem[],
  isWanted: (item: ZoteroItem) => boolean,
  progress: Progress,
): Promise<void> {
  const { actor, run, counts } = work
  const removed = items.filter(({ isDeleted }) => isDeleted).map(({ key }) => key)
  counts.removed += await markRemoved(work, library, removed)
  const left = items.filter((item) => !item.isDeleted && isWanted(item))
  progress.done += items.length - left.length
  for (let at = 0; at < left.length; at += AT_ONCE) {
    const part = left.slice(at, at + AT_ONCE)
    for (const change of await addItems(work, library, part)) {
      const outcome = await applyChanges(actor, change, library.with_tags)
      if (outcome === 'updated') counts.updated += 1
      if (outcome === 'missing') await asActor(actor, (tx) => noteMissedChanges(tx, library.id, [change.item.key]))
      else await storeChange(work, library, change)
    }
    await run.saveState(stateOf(work))
    progress.done += part.length
    run.report(
      (library.with_pdfs ? 50 : 100) * (progress.done / Math.max(progress.total, 1)),
      `Importing ${progress.done} of ${progress.total}`,
    )
  }
}

/**
 * Stores the new state of a Zotero item, after its changes were applied to the document. Publishes a change of the document if
 * its page can show other differences from Zotero.
 */
const storeChange = ({ actor, run }: Work, library: StoredLibrary, { item, stored }: ChangedItem) =>
  asActor(actor, async (tx) => {
    await run.assertStillRunning(tx)
    const { version, address, reference = {}, tags } = item
    const values = { version, address, reference, tags: library.with_tags ? tags : [], removed_at: null }
    await updateItemRow(tx, stored.id, values)
    if (library.with_pdfs && stored.file !== 'attached' && (item.hasChildren || item.isFile))
      await awaitFiles(tx, library.id, { keys: [item.key] })
    const isShown =
      stored.removed_at !== null ||
      changedFields(stored.reference, reference).length > 0 ||
      String(stored.tags) !== String(values.tags)
    if (isShown && stored.document_id !== null)
      await publishChanges(tx, actor, [{ id: stored.document_id, project_id: library.project_id }], 'updated')
  })

const markRemoved = ({ actor }: Work, library: StoredLibrary, keys: readonly string[]): Promise<number> =>
  asActor(actor, async (tx) => {
    const ids = await markRemovedRows(tx, library.id, keys)
    await publishChanges(
      tx,
      actor,
      ids.map((id) => ({ id, project_id: library.project_id })),
      'updated',
    )
    return ids.length
  })
