import type { AppError } from '#server/lib/errors.ts'
import type { ConversationEvent } from '#shared/contract/conversations.ts'

/** The abort reason of an answer that its author stopped. */
export const STOPPED = Symbol('stopped')
/** The abort reason of an answer whose server stops. */
export const INTERRUPTED = Symbol('interrupted')

/** An answer that this process writes. It does not end when its client disconnects. */
export interface RunningAnswer {
  readonly messageId: string
  readonly signal: AbortSignal
  emit: (event: ConversationEvent) => void
  /** Ends the answer: the verified sentences stay. */
  abort: (reason: unknown) => void
  /** Yields all events from the first one. */
  events: () => AsyncGenerator<ConversationEvent>
  /** The error of an answer that failed. */
  failure: AppError | null
  /** Resolves when the end of the answer is stored. */
  ended: Promise<void>
}

const running = new Map<string, RunningAnswer>()

/** Starts `work` as the answer to a message. `work` stores the end of the answer and does not throw. */
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

/** Returns a running answer of this process. */
export const findRunning = (messageId: string): RunningAnswer | undefined => running.get(messageId)
