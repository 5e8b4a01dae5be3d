import type { Actor } from '#server/db/actor.ts'
import type { ZoteroAccess } from '#server/external/index.ts'
import type { JobRun } from '#server/queue/queue.ts'
import type { ZoteroResult } from '#shared/contract/zotero.ts'

/** Input of a job: the libraries to read, in this order. */
export interface QueuedImport {
  library_ids: string[]
  /** A user started the import, as opposed to a schedule. */
  requested: boolean
}

/** State that an attempt stores for the next one. */
export interface ImportState {
  /** The import of each library, by the id of the library. */
  imports: Record<string, string>
  counts: Omit<ZoteroResult, 'import_id'>
  /** True when the items are stored and the job fetches PDFs: the search for duplicates can start meanwhile. */
  reads_files?: boolean
}

/** The state that all parts of an import from Zotero use. */
export interface Work {
  actor: Actor
  access: ZoteroAccess
  run: JobRun<QueuedImport>
  counts: ImportState['counts']
  imports: ImportState['imports']
}
