import type { Actor } from '#server/db/actor.ts'
import { asSystem, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { notify } from '#server/notices/index.ts'
import { enqueue, RIGHT_LOST } from '#server/queue/queue.ts'
import {
  ZOTERO_COLLECTIONS_REMOVED,
  ZOTERO_KEY_REFUSED,
  ZOTERO_LIBRARY_REFUSED,
  ZOTERO_NOT_CONNECTED,
} from '#shared/contract/zotero.ts'
import { isStoredKey, noteRefusedKey } from './connection.ts'
import {
  findProject,
  hasActiveImport,
  listDueLibraries,
  lockZotero,
  nameOf,
  type StoredLibrary,
  stopSchedule,
  takeDueLibrary,
} from './library-queries.ts'
import type { QueuedImport } from './work.ts'

const INTERVAL_MS = 5_000
/** Maximum number of synchronizations that one check for due libraries starts. */
const STARTED_AT_ONCE = 20

/** Error messages after which a scheduled synchronization cannot succeed until a user acts. The schedule is then stopped. */
const ENDS_SCHEDULE: ReadonlySet<string> = new Set([
  ZOTERO_COLLECTIONS_REMOVED,
  ZOTERO_KEY_REFUSED,
  ZOTERO_LIBRARY_REFUSED,
  ZOTERO_NOT_CONNECTED,
])

let timer: NodeJS.Timeout | undefined
let checking: Promise<void> = Promise.resolve()

/**
 * Starts a timer that checks for libraries that are due for synchronization. The due times are in the database, so that several
 * processes share the work.
 */
export function startSchedule(): void {
  timer = setInterval(() => {
    checking = checking
      .then(startDueLibraries)
      .catch((error: unknown) => log.error({ err: error }, 'due synchronizations could not be started'))
  }, INTERVAL_MS)
}

/** Stops the timer for scheduled synchronizations. Resolves when a check in progress has ended. */
export async function stopScheduleTimer(): Promise<void> {
  clearInterval(timer)
  await checking
}

async function startDueLibraries(): Promise<void> {
  for (const { id, project_id } of await asSystem((tx) => listDueLibraries(tx, STARTED_AT_ONCE)))
    await asSystem(async (tx) => {
      // Before the row of the library, in the lock order of an import that a user starts.
      await lockZotero(tx, project_id)
      const library = await takeDueLibrary(tx, id)
      if (library?.may && library.created_by !== null) await startDue(tx, library, library.created_by)
      else if (library) await endSchedule(tx, library, RIGHT_LOST)
    })
}

async function startDue(tx: Tx, library: StoredLibrary, ownerId: string): Promise<void> {
  // The running import may read another library; this one is read at the next time.
  if (await hasActiveImport(tx, library.project_id)) return
  const input: QueuedImport = { library_ids: [library.id], requested: false }
  await enqueue(tx, { kind: 'zotero', ownerId, documentId: null, projectId: library.project_id, input: { ...input } })
}

/**
 * Stops the schedule of a library and sends one notice: to the owner of the project if the member lost the right to edit,
 * otherwise to the member whose key the schedule used. Does nothing for a library without a schedule.
 */
async function endSchedule(tx: Tx, library: StoredLibrary, reason: string): Promise<void> {
  const stopped = await stopSchedule(tx, library.id, reason)
  const project = await findProject(tx, library.project_id)
  if (!stopped || !project) return
  const data = { project_id: library.project_id, project: project.name, library: nameOf(library), reason }
  const reader = reason === RIGHT_LOST ? project.owner_id : library.created_by
  if (reader !== null) await notify(tx, [reader], { kind: 'zotero_stopped', data })
}

/**
 * Stops the schedule of a library if its import failed with `error` and only a user can correct the cause. Does nothing for
 * other errors. `usedKey` is the Zotero key of the import as it is stored; undefined if the actor had no key. Does nothing if
 * the actor has replaced this key in the meantime.
 */
export async function settleRefusal(
  actor: Actor,
  library: StoredLibrary,
  error: unknown,
  usedKey: string | undefined,
): Promise<void> {
  if (!(error instanceof AppError) || !ENDS_SCHEDULE.has(error.message)) return
  if (usedKey !== undefined) {
    if (!(await isStoredKey(actor, usedKey))) return
    if (error.message === ZOTERO_KEY_REFUSED) await noteRefusedKey(actor, usedKey)
  }
  await asSystem((tx) => endSchedule(tx, library, error.message))
}
