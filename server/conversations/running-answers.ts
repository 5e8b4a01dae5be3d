import type { AppError } from '#server/lib/errors.ts'
import type { ConversationEvent } from '#shared/contract/conversations.ts'

/** The reason with which an answer is aborted if its author stops it. */
export const STOPPED = Symbol('stopped')
/** The reason with which an answer is aborted if its server shuts down. */
export const INTERRUPTED = Symbol('interrupted')

/** An answer that this process writes. It does not end when its client disconnects. */
export interface RunningAnswer {
  readonly messageId: string
  readonly signal: AbortSignal
  emit: (event: ConversationEvent) => void
  /** Ends the answer. Sentences that are already verified stay stored. */
  abort: (reason: unknown) => void
  /** Yields all events of the answer, including events before the call. */
  events: () => AsyncGenerator<ConversationEvent>
  /** The error, if the answer has failed. */
  failure: AppError | null
  /** Resolves when the final state of the answer is stored. */
  ended: Promise<void>
}

const running = new Map<string, RunningAnswer>()

/** Starts `work`, which writes the answer to a message. `work` stores the final state of the answer and does not throw. */
export function startAnswer(messageId: string, work: (answer: RunningAnswer) => Promise<void>): RunningAnswer {
  const control = new AbortController()
  const seen: ConversationEvent[] = []
  let wake: (() => void)[] = []
  let isEnded = false
  const wakeAll = () => {
    for (const resume of wake) resume()
    wake = []
  }
  const answer: RunningAnswer = {
    messageId,
    signal: control.signal,
    emit: (event) => {
      seen.push(event)
      wakeAll()
    },
    abort: (reason) => control.abort(reason),
    events: async function* () {
      for (let at = 0; ;) {
        if (at < seen.length) yield seen[at++]!
        else if (isEnded) return
        else await new Promise<void>((resume) => wake.push(resume))
      }
    },
    failure: null,
    ended: Promise.resolve(),
  }
  running.set(messageId, answer)
  answer.ended = work(answer).finally(() => {
    isEnded = true
    running.delete(messageId)
    wakeAll()
  })
  return answer
}

/** Returns the answers that this process writes. */
export const runningAnswers = (): RunningAnswer[] => [...running.values()]

/** Returns the answer that this process is writing to a message, or undefined. */
export const findRunning = (messageId: string): RunningAnswer | undefined => running.get(messageId)
