import type { AnswerStatement, ChatSource } from '#shared/contract/chat.ts'

/**
 * A question of the user or an answer of the assistant in a chat. The content of an answer grows while its state is `writing`.
 */
export interface ChatMessage {
  id: number
  role: 'user' | 'assistant'
  content: string
  /** Time of sending or of the start of the answer, ISO 8601. */
  timestamp: string
  sources: ChatSource[]
  /** The finished answer, sentence by sentence, with the passages of each sentence. */
  statements: AnswerStatement[]
  /** True if the paper was searched by words only, without vectors. */
  wordsOnly: boolean
  state: 'writing' | 'complete' | 'stopped' | 'failed'
  /** Error message for the user. */
  error?: string
}
