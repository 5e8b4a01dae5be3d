import type { Actor } from '#server/db/actor.ts'
import type { ZoteroAccess } from '#server/external/index.ts'
import type { JobRun } from '#server/queue/queue.ts'
import type { ZoteroResult } from '#shared/contract/zotero.ts'

/** Input of a job that imports from Zotero. The libraries are read in the order of `library_ids`. */
export interface QueuedImport {
  library_ids: string[]
  /** True if a user started the import, false if a schedule started it. */
  requested: boolean
}

/** The state that an attempt of a job that imports from Zotero stores for the next attempt. */
export interface ImportState {
  /** The id of the import that belongs to each library. The key is the id of the library. */
  imports: Record<string, string>
  counts: Omit<ZoteroResult, 'import_id'>
  /** The ids of the libraries that were read, and of those whose own error is stored. */
  settled: string[]
  /** True when the items are stored and the job is fetching PDFs. The search for duplicates can then start. */
  reads_files?: boolean
}

/** The state that all parts of an import from Zotero use. */
export interface Work {
  actor: Actor
  access: ZoteroAccess
  run: JobRun<QueuedImport>
  counts: ImportState['counts']
  imports: ImportState['imports']
  settled: ImportState['settled']
}

/** Returns the state of an import from Zotero that is stored for the next attempt of its job. */
export const stateOf = ({ counts, imports, settled }: Work): ImportState => ({ counts, imports, settled })
