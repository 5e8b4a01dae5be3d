import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#server/db/actor.ts'
import type { Tx } from '#server/db/client.ts'
import { insertReference, publishChanges } from '#server/documents/index.ts'
import { addRecords, insertImport } from '#server/imports/index.ts'
import type { SamePaper } from '#server/references/index.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import type { ZoteroItem } from './item-of.ts'
import { listExistingDocuments, lockItemRows, saveItemRows, type StoredItem } from './item-queries.ts'
import { nameOf, type StoredLibrary } from './library-queries.ts'

/** The import that receives the records of a library. It begins with the first record. */
export interface OpenImport {
  id: string | null
}

/** The outcome of a part of the items. */
export interface AddedItems {
  created: number
  joined: number
  failed: number
  /** Known items that changed in Zotero. */
  changed: { item: ZoteroItem; stored: StoredItem }[]
}

/**
 * Adds the new items of a part of a page to the project: as a new paper, or as a record of the paper in `same`.
 * With `isRequested`, items whose paper was deleted here are added again.
 */
export async function addItems(
  tx: Tx,
  actor: Actor,
  library: StoredLibrary,
  items: readonly ZoteroItem[],
  { open, isRequested, same }: { open: OpenImport; isRequested: boolean; same: ReadonlyMap<ZoteroItem, SamePaper> },
): Promise<AddedItems> {
  const { project_id } = library
  const known = await lockItemRows(
    tx,
    library.id,
    items.map(({ key }) => key),
  )
  const existing = await listExistingDocuments(tx, project_id, [...known.values()])
  const added: AddedItems = { created: 0, joined: 0, failed: 0, changed: [] }
  const records: Parameters<typeof addRecords>[2][number][] = []
  const rows: Parameters<typeof saveItemRows>[1] = []
  const documents = []
  const referenced = items.filter(({ reference }) => reference)
  /** The documents of the previous items. */
  const documentOf = new Map<ZoteroItem | undefined, string>()
  const sameDocument = (item: ZoteroItem) => {
    const found = same.get(item) ?? null
    return found && ('id' in found ? found.id : documentOf.get(referenced[found.within]))
  }
  for (const item of items) {
    const stored = known.get(item.key)
    const isChanged = stored?.version !== item.version
    const isMissing = stored !== undefined && !existing.has(stored.document_id ?? '')
    const { reference, raw } = item
    if (stored && !isMissing && reference) {
      if (stored.document_id) documentOf.set(item, stored.document_id)
      if (isChanged || stored.removed_at !== null) added.changed.push({ item, stored })
      continue
    }
    if (!reference) {
      if (!isChanged) continue
      if (!item.isSkipped) added.failed += 1
      const outcome = item.isSkipped ? 'skipped' : 'failed'
      records.push({ raw, reference: {}, outcome, document_id: null, reason: item.reason ?? null })
      rows.push(itemRow(library, item, { document_id: stored?.document_id ?? null, reference: {}, tags: [] }))
      continue
    }
    if (isMissing && !isRequested) continue
    const tags = library.with_tags ? item.tags : []
    const sameId = sameDocument(item)
    const document = sameId ? undefined : await insertReference(tx, actor, project_id, { reference, tags })
    if (document) documents.push(document)
    added[document ? 'created' : 'joined'] += 1
    const document_id = document?.id ?? sameId!
    documentOf.set(item, document_id)
    records.push({ raw, reference, outcome: document ? 'created' : 'joined', document_id, reason: null })
    rows.push(itemRow(library, item, { document_id, reference, tags }))
  }
  // An import that a user undoes while its job runs stays undone; the job continues with a new one.
  if (records.length > 0 && !(open.id !== null && (await addRecords(tx, open.id, records)))) {
    const started = {
      project_id,
      created_by: actor.userId,
      kind: 'zotero',
      source_name: 'Zotero',
      source_kind: 'other',
      search_text: nameOf(library),
    } as const
    open.id = (await insertImport(tx, started)).id
    await addRecords(tx, open.id, records)
  }
  await saveItemRows(tx, rows)
  await publishChanges(tx, actor, documents, 'created')
  return added
}

function itemRow(
  library: StoredLibrary,
  item: ZoteroItem,
  linked: { document_id: string | null; reference: StoredReference; tags: string[] },
) {
  const isPending = library.with_pdfs && item.reference && (item.hasChildren || item.isFile)
  return {
    zotero_library_id: library.id,
    project_id: library.project_id,
    item_key: item.key,
    version: item.version,
    address: item.address,
    file: isPending ? ('pending' as const) : ('none' as const),
    file_key: item.isFile ? item.key : null,
    removed_at: null,
    ...linked,
  }
}

/** Returns the fields whose values differ between two references, without the ids of each side. */
export const changedFields = (before: StoredReference, after: StoredReference): (keyof StoredReference)[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)] as (keyof StoredReference)[])].filter(
    (name) =>
      name !== 'id' &&
      name !== 'citation-key' &&
      name !== 'custom' &&
      !isDeepStrictEqual(plain(before[name]), plain(after[name])),
  )

/** Returns a value without members that are undefined, which the database does not store. */
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))
