import type { Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import {
  addTagsToRows,
  insertReferencedRows,
  lockJoinedRows,
  publishChanges,
  updateReferencedRows,
} from '#server/documents/index.ts'
import { insertRecords, type RecordCounts, type StoredImport } from '#server/imports/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { checkProject } from '#server/projects/index.ts'
import { decideAndStore, PapersChanged } from './match-papers.ts'
import { runOnReferences } from './reference-pool.ts'

/**
 * The records of a batch (a part of an import that is stored in one transaction), and `keys`, by which papers that could be the
 * same are found. Both are JSON texts, which the main thread passes on without parsing, because they can be large.
 */
export interface BatchTexts {
  keys: string
  records: Uint8Array | string
}

/** The import to which `addBatch` adds the records of a batch (a part of the import that is stored in one transaction). */
export interface BatchPlace {
  projectId: string
  /** Returns the import, locked until the transaction ends. */
  lockedImport: (tx: Tx) => Promise<StoredImport | undefined>
  /** Number of records that the import has before this batch. */
  before: number
  joinDuplicates: boolean
  /**
   * An import whose records were compared with each other to find duplicates. Its papers are not compared with the records of
   * this batch.
   */
  comparedImportId?: string
}

/**
 * Options of `addBatch`, which stores a part of an import in one transaction. `signal` cancels the comparison with the papers
 * of the project. `assertStillRunning` is called first in the transaction and throws if the job of the import has ended.
 */
export interface BatchOptions {
  signal?: AbortSignal
  assertStillRunning?: (tx: Tx) => Promise<void>
  /** Called after the records are stored, in the same transaction. `own` is the import. */
  alsoStore?: (tx: Tx, own: StoredImport) => Promise<void>
}

/**
 * Maximum number of document ids in an event about a batch. More are not necessary, because clients reload their lists after
 * any event.
 */
const NAMED_MAX = 20

/**
 * Adds a batch of records (a part of an import) to a project. Finds the papers of the project that could be the same, compares
 * them in a worker, and writes documents and records in one transaction. `before` is the number of records that the import
 * should have before this batch. Throws 'conflict' if it has another number or was undone, and 'not_found' if the import does
 * not exist.
 */
export async function addBatch(
  actor: Actor,
  { projectId, lockedImport, before, joinDuplicates, comparedImportId }: BatchPlace,
  { keys, records }: BatchTexts,
  { signal, assertStillRunning, alsoStore }: BatchOptions = {},
): Promise<RecordCounts> {
  return decideAndStore(
    actor,
    { projectId, importId: comparedImportId, keys: joinDuplicates ? keys : null },
    {
      decide: (candidates) =>
        runOnReferences('join', { records, candidates, joinDuplicates }, { person: actor.userId, signal }),
      store: async (tx, { documents, changes, filled, tagged, ...batch }) => {
        await assertStillRunning?.(tx)
        await checkProject(tx, projectId, 'edit')
        const own = await lockedImport(tx)
        if (!own) throw notFound('Import')
        if (own.read_count !== before || own.undone_at !== null)
          throw new AppError('conflict', 'The records of this import were changed by another process.')
        const place = { userId: actor.userId, projectId, importId: own.id }
        await lockJoinedRows(tx, own.id, batch.records)
        if (batch.created.length > 0) await insertReferencedRows(tx, place, documents)
        if (filled > 0 && (await updateReferencedRows(tx, projectId, changes)) < filled) throw new PapersChanged()
        if (tagged !== '[]') await addTagsToRows(tx, projectId, tagged)
        await insertRecords(tx, own, batch.records, batch.counts)
        await alsoStore?.(tx, own)
        const named = (ids: string[]) => ids.slice(0, NAMED_MAX).map((id) => ({ id, project_id: projectId }))
        await publishChanges(tx, actor, named(batch.changed), 'updated')
        await publishChanges(tx, actor, named(batch.created).slice(0, 1), 'created')
        return batch.counts
      },
    },
  )
}
