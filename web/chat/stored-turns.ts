import type { ConversationMessage } from '#shared/contract/conversations.ts'
import type { ChatMessage } from './chat-message.ts'

const STATES = { answering: 'writing', done: 'complete', stopped: 'stopped', failed: 'failed' } as const

/** Converts a stored conversation about one document to chat messages. Each question is followed by its answer. */
export const storedTurns = (messages: readonly ConversationMessage[]): ChatMessage[] =>
  messages.flatMap(({ question, asked_at: timestamp, chat, status, error }, index): ChatMessage[] => {
    const blank = { timestamp, sources: [], statements: [], wordsOnly: false }
    return [
      { ...blank, id: 2 * index, role: 'user', content: question, state: 'complete' },
      {
        ...blank,
        id: 2 * index + 1,
        role: 'assistant',
        content: chat?.answer ?? '',
        ...(chat ? { sources: chat.sources, statements: chat.statements, wordsOnly: chat.words_only } : {}),
        state: STATES[status],
        ...(error === null ? {} : { error }),
      },
    ]
  })
