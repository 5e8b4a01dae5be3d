import { asSystem, database } from '#server/db/client.ts'
import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import { restarting } from '#server/lib/stopping.ts'
import { failLeftAnswers } from './answer-queries.ts'
import { findRunning, runningAnswers, STOPPED } from './running-answers.ts'

const CHECK_MS = 60_000
let timer: NodeJS.Timeout | undefined
let stopListening: (() => void) | undefined

/** Listens for requests to stop answers, and fails the unfinished answers of servers that ended. */
export function startAnswers(): void {
  stopListening = onNotice((channel, id) => {
    if (channel === CHANNELS.answer) findRunning(id)?.abort(STOPPED)
  })
  const check = (isAlone: boolean) =>
    asSystem((tx) => {
      const own = runningAnswers().map(({ messageId }) => messageId)
      return failLeftAnswers(tx, { own, isAlone, error: restarting().message })
    }).catch((error: unknown) => log.error({ err: error }, 'unfinished answers could not be ended'))
  void check(database().embedded)
  timer = setInterval(() => void check(false), CHECK_MS)
}

/** Ends the running answers with an error, and waits until their verified sentences are stored. */
export async function stopAnswers(): Promise<void> {
  clearInterval(timer)
  stopListening?.()
  const answers = runningAnswers()
  for (const answer of answers) answer.abort(restarting())
  await Promise.all(answers.map(({ ended }) => ended))
}
