import type {
  AnswerScope,
  AnswerSentence,
  AnswerSource,
  ConversationEvent,
  ConversationMessage,
  LibraryAnswer,
} from '#shared/contract/conversations.ts'
import { counted } from '#web/lib/dates.ts'

/** Options of a question: the papers to answer from, and whether to leave out retracted papers. */
export interface AskSettings {
  scope: AnswerScope
  leaveOutRetracted: boolean
}

/** A question whose answer is streamed to this page, or a question that could not be sent. */
export interface RunningAnswer extends AskSettings {
  conversationId: string | null
  /** Null until the server has stored the question. */
  messageId: string | null
  question: string
  askedAt: string
  step: 'papers' | 'passages' | 'checking'
  papers: number | null
  passages: number | null
  /** 'passages' if the built-in model answers. */
  kind: LibraryAnswer['kind']
  sentences: AnswerSentence[]
  sources: AnswerSource[]
  /** True after the user has pressed Stop. */
  stopping: boolean
  /** The reason for an incomplete answer, for the user. */
  failure: string | null
}

/**
 * Returns the state of a streamed answer after an event of its stream. The events `done` and `error` do not change the state.
 */
export function receive(running: RunningAnswer, event: ConversationEvent): RunningAnswer {
  switch (event.event) {
    case 'papers':
      return { ...running, messageId: event.data.message_id, papers: event.data.papers }
    case 'passages':
      return { ...running, step: 'passages', passages: event.data.passages, kind: event.data.kind }
    case 'checking':
      return { ...running, step: 'checking' }
    case 'sentence': {
      const { sentence, sources } = event.data
      const before = running.sources.filter((old) => !sources.some(({ number }) => number === old.number))
      return {
        ...running,
        sentences: [...running.sentences, sentence],
        sources: [...before, ...sources].toSorted((one, other) => one.number - other.number),
      }
    }
    default:
      return running
  }
}

/** Id of the message of a question that the server has not stored yet. */
export const UNSTORED = 'unstored'

/** Returns a running answer as a message, so that it is shown like a stored one. */
export const asMessage = (running: RunningAnswer): ConversationMessage => ({
  id: running.messageId ?? UNSTORED,
  question: running.question,
  scope: running.scope,
  leave_out_retracted: running.leaveOutRetracted,
  asked_at: running.askedAt,
  status: running.failure === null ? 'answering' : 'failed',
  error: running.failure,
  answer:
    running.sentences.length === 0
      ? null
      : {
          kind: running.kind,
          sentences: running.sentences,
          groups: [],
          unsupported: [],
          nearest: [],
          missing: [],
          apart: [],
          papers: running.papers ?? 0,
          retracted_left_out: 0,
          passages: running.passages ?? 0,
          words_only: null,
          model: '',
          cached: false,
        },
  chat: null,
  sources: running.sources,
  run_id: null,
  run_number: null,
  feedback: null,
})

/**
 * A step of the work on an answer, such as the search for passages. `words` describes it on the screen, and `done` is true if
 * it has ended.
 */
export interface Step {
  words: string
  done: boolean
}

/** Returns the steps of the work on an answer up to the current step, which is the last one (LIB-13). */
export function stepsOf({ step, papers, passages }: RunningAnswer): Step[] {
  const ofPapers = papers === null ? 'the papers' : counted(papers, 'paper')
  const ofPassages = counted(passages ?? 0, 'passage')
  if (step === 'papers') return [{ words: `Looking through ${ofPapers}…`, done: false }]
  const looked = { words: `Looked through ${ofPapers}`, done: true }
  if (step === 'passages') return [looked, { words: `Reading ${ofPassages}…`, done: false }]
  return [looked, { words: `Read ${ofPassages}`, done: true }, { words: 'Checking the quotes…', done: false }]
}
