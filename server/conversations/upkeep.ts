import { asSystem, database } from '#server/db/client.ts'
import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { ANSWER_INTERRUPTED } from '#shared/contract/conversations.ts'
import { endSilentAnswers, touchAnswers } from './answer-queries.ts'
import { findRunning, INTERRUPTED, runningAnswers, STOPPED } from './running-answers.ts'

/**
 * Time between two reports that this server still writes its answers. A server that misses three consecutive reports counts as
 * stopped.
 */
const REPORT_MS = (env.JOB_SILENCE_SECONDS * 1000) / 3
let timer: NodeJS.Timeout | undefined
let reporting: Promise<void> = Promise.resolve()
let stopListening: (() => void) | undefined

/**
 * Starts the background work for answers: stops answers on request, reports regularly which answers this process is writing,
 * and ends the answers of servers that have stopped.
 */
export function startAnswers(): void {
  stopListening = onNotice((channel, id) => {
    if (channel === CHANNELS.answer) findRunning(id)?.abort(STOPPED)
  })
  const check = (isAlone: boolean) => {
    reporting = reporting
      .then(() => report(isAlone))
      .catch((error: unknown) => log.error({ err: error }, 'unfinished answers could not be checked'))
  }
  check(database().embedded)
  timer = setInterval(() => check(false), REPORT_MS)
}

const report = (isAlone: boolean) =>
  asSystem(async (tx) => {
    const own = runningAnswers().map(({ messageId }) => messageId)
    await touchAnswers(tx, own)
    await endSilentAnswers(tx, { own, isAlone, silence: env.JOB_SILENCE_SECONDS, error: ANSWER_INTERRUPTED })
  })

/** Ends the answers that this process is writing, and waits until their verified sentences are stored. */
export async function stopAnswers(): Promise<void> {
  clearInterval(timer)
  stopListening?.()
  const answers = runningAnswers()
  for (const answer of answers) answer.abort(INTERRUPTED)
  await Promise.all(answers.map(({ ended }) => ended))
  await reporting
}
