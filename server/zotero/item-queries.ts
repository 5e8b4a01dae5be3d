import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { importRecords } from '#server/db/tables/imports.ts'
import { zoteroItems, zoteroLibraries } from '#server/db/tables/zotero.ts'

export type StoredItem = typeof zoteroItems.$inferSelect

/** Returns the stored items of a library that have one of the Zotero keys `keys`, as a map from the Zotero key to the item. */
export async function listItemRows(
  tx: Tx,
  libraryId: string,
  keys: readonly string[],
): Promise<Map<string, StoredItem>> {
  const rows = await tx
    .select()
    .from(zoteroItems)
    .where(and(eq(zoteroItems.zotero_library_id, libraryId), inArray(zoteroItems.item_key, [...keys])))
  return new Map(rows.map((row) => [row.item_key, row]))
}

/** Returns the ids of those documents of the items that are still in the project and not in the trash. */
export async function listExistingDocuments(
  tx: Tx,
  projectId: string,
  items: readonly StoredItem[],
): Promise<Set<string>> {
  const ids = items.flatMap(({ document_id }) => document_id ?? [])
  if (ids.length === 0) return new Set()
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), inArray(documents.id, ids), isNull(documents.deleted_at)))
  return new Set(rows.map(({ id }) => id))
}

type NewItem = Pick<StoredItem, 'item_key' | 'version' | 'address' | 'tags' | 'file' | 'file_key'>

/**
 * Inserts items of a Zotero library, or replaces the stored state of known items. Each item gets the reference and the document
 * of the record at its `position` in the import `importId`. If this record has no document, because the item could not be read,
 * a known item keeps its document.
 */
export async function insertItemRows(
  tx: Tx,
  library: { id: string; project_id: string },
  importId: string,
  items: readonly (NewItem & { position: number })[],
): Promise<void> {
  await tx.execute(sql`
    insert into ${zoteroItems} as old (zotero_library_id, project_id, item_key, version, address, tags, file, file_key,
      document_id, reference)
    select ${library.id}::uuid, ${library.project_id}::uuid, x.item_key, x.version, x.address, x.tags, x.file, x.file_key,
      r.document_id, r.reference
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as x (position int, item_key text, version int, address text, tags text[], file text, file_key text)
    join ${importRecords} r on r.import_id = ${importId}::uuid and r.position = x.position
    on conflict (zotero_library_id, item_key) do update set version = excluded.version, address = excluded.address,
      tags = excluded.tags, file = excluded.file, file_key = excluded.file_key, reference = excluded.reference,
      document_id = coalesce(excluded.document_id, old.document_id), removed_at = null`)
}

/** Changes the stored state of one Zotero item. */
export async function updateItemRow(
  tx: Tx,
  id: string,
  change: Partial<Pick<StoredItem, 'file' | 'version' | 'reference' | 'tags' | 'address' | 'removed_at'>>,
): Promise<void> {
  await tx.update(zoteroItems).set(change).where(eq(zoteroItems.id, id))
}

/** The version of an item whose last change in Zotero was not stored, because its document was in the trash. */
const MISSED = -1

/**
 * Flags items whose change in Zotero is not stored because their document is in the trash. The first synchronization after the
 * document is restored then reads these items again.
 */
export async function noteMissedChanges(tx: Tx, libraryId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await tx
    .update(zoteroItems)
    .set({ version: MISSED })
    .where(and(eq(zoteroItems.zotero_library_id, libraryId), inArray(zoteroItems.item_key, [...keys])))
}

/**
 * Finds the items whose change in Zotero was missed because their document was in the trash, and whose document has been
 * restored since. Resets the stored versions of these items, so that a read of all items compares them again. Returns whether
 * there were any.
 */
export async function forgetMissedChanges(tx: Tx, libraryId: string): Promise<boolean> {
  const isRestored = sql`exists (select from ${documents} where ${documents.id} = ${zoteroItems.document_id}
    and ${documents.project_id} = ${zoteroItems.project_id} and ${documents.deleted_at} is null)`
  const { rowCount } = await tx
    .update(zoteroItems)
    .set({ version: 0 })
    .where(and(eq(zoteroItems.zotero_library_id, libraryId), eq(zoteroItems.version, MISSED), isRestored))
  return (rowCount ?? 0) > 0
}

/** Records that items were removed in Zotero. Returns the ids of their documents. */
export async function markRemovedRows(tx: Tx, libraryId: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return []
  const rows = await tx
    .update(zoteroItems)
    .set({ removed_at: sql`now()` })
    .where(
      and(
        eq(zoteroItems.zotero_library_id, libraryId),
        sql`${zoteroItems.item_key} = any(${sql.param([...keys])}::text[])`,
        isNull(zoteroItems.removed_at),
      ),
    )
    .returning({ id: zoteroItems.document_id })
  return rows.flatMap(({ id }) => id ?? [])
}

/**
 * Marks items whose document has no PDF, so that the PDF is fetched (`file` becomes 'pending'): the items with `keys`, or the
 * items whose PDF has one of `states`.
 */
export async function awaitFiles(
  tx: Tx,
  libraryId: string,
  which: { keys: readonly string[] } | { states: readonly StoredItem['file'][] },
): Promise<void> {
  const chosen =
    'keys' in which
      ? and(
          sql`${zoteroItems.item_key} = any(${sql.param([...which.keys])}::text[])`,
          ne(zoteroItems.file, 'pending'),
          isNull(zoteroItems.removed_at),
        )
      : inArray(zoteroItems.file, [...which.states])
  await tx
    .update(zoteroItems)
    .set({ file: 'pending' })
    .where(
      and(
        eq(zoteroItems.zotero_library_id, libraryId),
        chosen,
        sql`exists (select from ${documents} where ${documents.id} = ${zoteroItems.document_id} and ${documents.source_url} is null)`,
      ),
    )
}

/** Returns up to `limit` items whose PDF must be fetched, in the order of their ids. */
export function listPendingFiles(tx: Tx, libraryId: string, limit: number): Promise<StoredItem[]> {
  return tx
    .select()
    .from(zoteroItems)
    .where(and(eq(zoteroItems.zotero_library_id, libraryId), eq(zoteroItems.file, 'pending')))
    .orderBy(zoteroItems.id)
    .limit(limit)
}

/** Returns the number of items of a library whose PDF must be fetched. */
export const countPendingFiles = (tx: Tx, libraryId: string): Promise<number> =>
  tx.$count(zoteroItems, and(eq(zoteroItems.zotero_library_id, libraryId), eq(zoteroItems.file, 'pending')))

/**
 * Returns the Zotero item of a document and its library, or undefined. If a document has several items, an item that was not
 * removed in Zotero is preferred.
 */
export async function findItemOfDocument(tx: Tx, documentId: string) {
  const [found] = await tx
    .select({ item: zoteroItems, library: zoteroLibraries })
    .from(zoteroItems)
    .innerJoin(zoteroLibraries, eq(zoteroLibraries.id, zoteroItems.zotero_library_id))
    .where(eq(zoteroItems.document_id, documentId))
    .orderBy(sql`${zoteroItems.removed_at} desc nulls first`, zoteroItems.id)
    .limit(1)
  return found
}

/**
 * Resets the stored versions of all items of a library, so that the next import compares every item. Call it after a change of
 * the import options of the library, such as its collections.
 */
export async function forgetVersions(tx: Tx, libraryId: string): Promise<void> {
  await tx.update(zoteroItems).set({ version: 0 }).where(eq(zoteroItems.zotero_library_id, libraryId))
}

/**
 * Moves the Zotero items of the paper `from` in a project to the paper `to`, and returns their ids. The next synchronization
 * then changes the paper `to`, and does not add the paper `from` again.
 */
export async function moveItems(
  tx: Tx,
  projectId: string,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  const rows = await tx
    .update(zoteroItems)
    .set({ document_id: to })
    .where(and(eq(zoteroItems.document_id, from), eq(zoteroItems.project_id, projectId)))
    .returning({ id: zoteroItems.id })
  return rows.map(({ id }) => id)
}

/** Moves the Zotero items `ids` from the paper `from` to the paper `to`. Items in `ids` that belong to other papers stay. */
export async function returnItems(
  tx: Tx,
  ids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const own = and(inArray(zoteroItems.id, [...ids]), eq(zoteroItems.document_id, from))
  await tx.update(zoteroItems).set({ document_id: to }).where(own)
}
