import { actorFor } from '#server/db/actor.ts'
import { asSystem, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { notify } from '#server/notices/index.ts'
import { enqueue, RIGHT_LOST } from '#server/queue/queue.ts'
import { ZOTERO_KEY_REFUSED, ZOTERO_LIBRARY_REFUSED, ZOTERO_NOT_CONNECTED } from '#shared/contract/zotero.ts'
import { noteRefusedKey } from './connection.ts'
import {
  findProject,
  hasActiveImport,
  lockZotero,
  nameOf,
  type StoredLibrary,
  stopSchedule,
  takeDueLibraries,
} from './library-queries.ts'
import type { QueuedImport } from './work.ts'

const LOOK_MS = 5_000
/** Libraries that one look starts. */
const STARTED_AT_ONCE = 20

/** The errors after which a schedule cannot succeed until a user acts. */
const ENDS_SCHEDULE: ReadonlySet<string> = new Set([ZOTERO_KEY_REFUSED, ZOTERO_LIBRARY_REFUSED, ZOTERO_NOT_CONNECTED])

let timer: NodeJS.Timeout | undefined
let looking: Promise<void> = Promise.resolve()

/** Starts the synchronizations that are due. The table has the due times, so that several processes share the work. */
export function startSchedule(): void {
  timer = setInterval(() => {
    looking = looking
      .then(look)
      .catch((error: unknown) => log.error({ err: error }, 'due synchronizations could not be started'))
  }, LOOK_MS)
}

/** Starts no further synchronizations. */
export async function stopScheduleTimer(): Promise<void> {
  clearInterval(timer)
  await looking
}

const look = (): Promise<void> =>
  asSystem(async (tx) => {
    for (const library of await takeDueLibraries(tx, STARTED_AT_ONCE)) {
      if (library.may && library.created_by !== null) await startDue(tx, library, library.created_by)
      else await endSchedule(tx, library, RIGHT_LOST)
    }
  })

async function startDue(tx: Tx, library: StoredLibrary, ownerId: string): Promise<void> {
  await lockZotero(tx, library.project_id)
  // The running import may read another library; this one is read at the next time.
  if (await hasActiveImport(tx, library.project_id)) return
  const input: QueuedImport = { library_ids: [library.id], requested: false }
  await enqueue(tx, { kind: 'zotero', ownerId, documentId: null, projectId: library.project_id, input: { ...input } })
}

/** Ends a schedule with one notice to the member whose key it used. Does nothing for a library without a schedule. */
async function endSchedule(tx: Tx, library: StoredLibrary, reason: string): Promise<void> {
  const stopped = await stopSchedule(tx, library.id, reason)
  const project = await findProject(tx, library.project_id)
  if (!stopped || !project) return
  const data = { project_id: library.project_id, project: project.name, library: nameOf(library), reason }
  // A member without the right hears of it from the project; its owner has to choose another key.
  const reader = reason === RIGHT_LOST ? project.owner_id : library.created_by
  if (reader !== null) await notify(tx, [reader], { kind: 'zotero_stopped', data })
}

/** Ends the schedule of a library if the error of its import requires that. */
export async function settleRefusal(library: StoredLibrary, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || !ENDS_SCHEDULE.has(error.message)) return
  if (error.message === ZOTERO_KEY_REFUSED && library.created_by !== null)
    await noteRefusedKey(actorFor(library.created_by))
  await asSystem((tx) => endSchedule(tx, library, error.message))
}
