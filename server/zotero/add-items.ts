import { isDeepStrictEqual } from 'node:util'
import { asActor, type Tx } from '#server/db/client.ts'
import { findImport, insertImport, lockImport, type RecordCounts, type StoredImport } from '#server/imports/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { addSourceRecords, type SourceRecord } from '#server/references/index.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import type { ZoteroItem } from './item-of.ts'
import {
  insertItemRows,
  listExistingDocuments,
  listItemRows,
  noteMissedChanges,
  type StoredItem,
} from './item-queries.ts'
import { nameOf, type StoredLibrary } from './library-queries.ts'
import type { Work } from './work.ts'

/** Maximum number of attempts to add items, if users undo the import in the meantime. */
const ATTEMPTS = 5

/** An item that changed in Zotero, with its stored state before the change. */
export interface ChangedItem {
  item: ZoteroItem
  stored: StoredItem
}

/**
 * Adds those of `items` that the project does not have, in one transaction and by the rules for importing a file. If a user,
 * and not a schedule, started the job, items whose paper was deleted in Lectern are added again. The first added record creates
 * the import (the list of records) of the library. Returns the items that the project already has and that changed in Zotero.
 */
export async function addItems(
  work: Work,
  library: StoredLibrary,
  items: readonly ZoteroItem[],
): Promise<ChangedItem[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { fresh, changed, open } = await asActor(work.actor, (tx) => sortItems(tx, work, library, items))
    if (fresh.length === 0) return changed
    try {
      const counts = await storeItems(work, library, fresh, open)
      for (const name of ['created', 'joined', 'failed'] as const) work.counts[name] += counts[name]
      return changed
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict') || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Divides items into items that need a new record (`fresh`) and known items that changed (`changed`). Flags changed items whose
 * document is in the trash. Also returns the import that receives the records (`open`); undefined if there is none yet or it
 * was undone.
 */
async function sortItems(tx: Tx, { imports, run }: Work, library: StoredLibrary, items: readonly ZoteroItem[]) {
  const keys = items.map(({ key }) => key)
  const known = await listItemRows(tx, library.id, keys)
  const existing = await listExistingDocuments(tx, library.project_id, [...known.values()])
  const fresh: ZoteroItem[] = []
  const changed: ChangedItem[] = []
  const missed: string[] = []
  for (const item of items) {
    const stored = known.get(item.key)
    const isChanged = stored?.version !== item.version
    const isMissing = stored !== undefined && !existing.has(stored.document_id ?? '')
    if (!item.reference) {
      if (isChanged) fresh.push(item)
    } else if (!stored || isMissing) {
      if (!stored || run.input.requested) fresh.push(item)
      else if (isChanged) missed.push(item.key)
    } else if (isChanged || stored.removed_at !== null) changed.push({ item, stored })
  }
  await noteMissedChanges(tx, library.id, missed)
  const id = imports[library.id]
  const open = id === undefined ? undefined : await findImport(tx, id)
  // An import that a user undoes while its job runs stays undone; the job continues with a new one.
  return { fresh, changed, open: open?.undone_at === null ? open : undefined }
}

async function storeItems(
  { actor, run, imports }: Work,
  library: StoredLibrary,
  items: readonly ZoteroItem[],
  open: StoredImport | undefined,
): Promise<RecordCounts> {
  const { project_id } = library
  const before = open?.read_count ?? 0
  const lockedImport = (tx: Tx) =>
    open
      ? lockImport(tx, open.id)
      : insertImport(tx, {
          project_id,
          created_by: actor.userId,
          kind: 'zotero',
          source_name: 'Zotero',
          source_kind: 'other',
          search_text: nameOf(library),
        })
  const rows = items.map((item, at) => ({ ...itemRow(library, item), position: before + at + 1 }))
  let importId: string | undefined
  const counts = await addSourceRecords(
    actor,
    { projectId: project_id, lockedImport, before },
    items.map((item) => recordOf(library, item)),
    {
      signal: run.signal,
      assertStillRunning: run.assertStillRunning,
      alsoStore: async (tx, { id }) => {
        importId = id
        await insertItemRows(tx, library, id, rows)
      },
    },
  )
  if (importId !== undefined) imports[library.id] = importId
  return counts
}

const recordOf = (library: StoredLibrary, { raw, reference, reason, isSkipped, tags }: ZoteroItem): SourceRecord => ({
  raw,
  ...(reference ? { reference } : { reason, isSkipped: isSkipped || undefined }),
  tags: library.with_tags && reference ? tags : [],
})

function itemRow(library: StoredLibrary, { key, version, address, reference, tags, hasChildren, isFile }: ZoteroItem) {
  const isPending = library.with_pdfs && reference && (hasChildren || isFile)
  return {
    item_key: key,
    version,
    address,
    tags: library.with_tags && reference ? tags : [],
    file: isPending ? ('pending' as const) : ('none' as const),
    file_key: isFile ? key : null,
  }
}

/** Returns the names of the fields whose values differ between two references, except id, citation-key and custom. */
export const changedFields = (before: StoredReference, after: StoredReference): (keyof StoredReference)[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)] as (keyof StoredReference)[])].filter(
    (name) =>
      name !== 'id' &&
      name !== 'citation-key' &&
      name !== 'custom' &&
      !isDeepStrictEqual(plain(before[name]), plain(after[name])),
  )

/** Returns a value without properties that are undefined, because the database does not store them. */
const plain = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))
