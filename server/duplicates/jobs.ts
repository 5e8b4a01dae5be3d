import { setTimeout as pause } from 'node:timers/promises'
import { asActor, asSystem } from '#server/db/client.ts'
import { actorFor } from '#server/db/actor.ts'
import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import { projectOrThrow } from '#server/projects/index.ts'
import { type JobRun, registerWorker } from '#server/queue/queue.ts'
import { checkProject, removeChecksOfDeleted } from './check-project.ts'
import { countWaiting, listWaitingProjects, requestAll } from './check-queries.ts'

const AT_ONCE = 2
/**
 * Delay in ms between a change of a paper and its comparison with the other papers of its project. Papers that change within
 * this time are compared in one step.
 */
const DELAY_MS = 1_000
/**
 * Delay in ms before the papers of a project are compared for duplicates, if an import or a search for duplicates is running in
 * the project or if papers are locked.
 */
const BUSY_DELAY_MS = 3_000
/**
 * Time in ms for which a search for duplicates waits while other processes or transactions have locked the remaining papers.
 */
const REST_MS = 500
/** Interval of comparisons without a notification of a change. They are necessary because a notification can be lost. */
const LOOK_AGAIN_MS = 60_000

let timer: NodeJS.Timeout | undefined
let delay: NodeJS.Timeout | undefined
let stopListening: (() => void) | undefined
let stopping = new AbortController()
let running: Promise<void> = Promise.resolve()

/**
 * Registers the worker for searches for duplicates. Also starts the automatic search: a paper is compared with the other papers
 * of its project a second after its title, authors, year or identifiers have changed.
 */
export function registerJobs(): void {
  registerWorker('duplicates', search, { concurrency: AT_ONCE })
  stopping = new AbortController()
  stopListening = onNotice((channel) => {
    if (channel === CHANNELS.compare || channel === 'reconnected') compareSoon()
  })
  timer = setInterval(() => compareSoon(), LOOK_AGAIN_MS)
  compareSoon()
}

/**
 * Stops the automatic comparison of changed papers with the other papers of their projects. Papers that are still waiting are
 * compared after the next start of the server.
 */
export async function stopDuplicates(): Promise<void> {
  stopListening?.()
  clearInterval(timer)
  clearTimeout(delay)
  stopping.abort()
  await running
}

const papers = (count: number) => `${count} ${count === 1 ? 'paper' : 'papers'}`

async function search({ job, ownerId, state, signal, report, saveState }: JobRun) {
  const projectId = job.project_id!
  await asActor(actorFor(ownerId), (tx) => projectOrThrow(tx, projectId, 'edit'))
  if (!state) {
    await asSystem((tx) => requestAll(tx, projectId))
    await saveState({ requested: true })
  }
  const waiting = () => asSystem((tx) => countWaiting(tx, projectId))
  const total = await waiting()
  report(1, `Comparing ${papers(total)}`)
  for (let compared = 0; ;) {
    compared += await checkProject(projectId, signal, (part) => {
      const done = compared + part
      report((99 * done) / Math.max(total, done), `Compared ${done} of ${papers(Math.max(total, done))}`)
    })
    if ((await waiting()) === 0) return { compared: Math.max(total, compared) }
    // Another process compares the rest, or a transaction that has not ended has locked it.
    await pause(REST_MS, undefined, { signal })
  }
}

function compareSoon(ms = DELAY_MS): void {
  if (stopping.signal.aborted) return
  delay ??= setTimeout(() => {
    delay = undefined
    running = running.then(compareWaiting).catch(logFailure)
  }, ms)
}

function logFailure(error: unknown): void {
  if (!stopping.signal.aborted) log.error({ err: error }, 'papers could not be compared')
}

async function compareWaiting(): Promise<void> {
  const projects = await asSystem(listWaitingProjects)
  if (projects.some(({ id }) => id === null)) await removeChecksOfDeleted(stopping.signal)
  const failed = new Set<string>()
  for (const { id, is_busy } of projects)
    // The failure of one project does not stop the others.
    if (id !== null && !is_busy)
      await checkProject(id, stopping.signal).catch((error: unknown) => {
        failed.add(id)
        logFailure(error)
      })
  // The papers of an import are compared after its end, and locked ones later.
  const left = await asSystem(listWaitingProjects)
  if (left.some(({ id }) => id === null || !failed.has(id))) compareSoon(BUSY_DELAY_MS)
}
