import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { Conversation as Stored, ConversationWithMessages } from '#shared/contract/conversations.ts'
import { CHAT_FAILED, type ChatStreamEvent } from '#shared/contract/chat.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import type { ChatMessage } from './chat-message.ts'
import { storedTurns } from './stored-turns.ts'
import { streamAnswer } from './stream-answer.ts'

export interface Conversation {
  messages: ChatMessage[]
  /** True from a question to the end of its answer; no question can be sent meanwhile. */
  processing: boolean
  /** The model of the last answer. */
  model: string | null
  /** The stored conversation that the next question continues; null before the first answer. */
  stored: StoredConversation | null
}

/**
 * The conversation on the server to which the questions and answers of the chat belong. Only the author of the conversation can
 * continue it.
 */
export type StoredConversation = Pick<Stored, 'id' | 'is_mine' | 'created_by'> & {
  /** True if the user opened the conversation from the list of earlier conversations. */
  isEarlier: boolean
}

export type ChatAction =
  | { type: 'ask'; question: string; at: string }
  | { type: 'receive'; event: ChatStreamEvent }
  | { type: 'fail'; message: string }
  | { type: 'stop' }
  | { type: 'open'; conversation: ConversationWithMessages }
  | { type: 'start-fresh' }

export const EMPTY: Conversation = { messages: [], processing: false, model: null, stored: null }

/** Reducer of the conversation: returns its state after an action. Ignores a new question while an answer is streamed. */
export function converse(now: Conversation, action: ChatAction): Conversation {
  if (action.type === 'ask') {
    if (now.processing || !action.question.trim()) return now
    const id = now.messages.length
    const blank = { timestamp: action.at, sources: [], statements: [], wordsOnly: false }
    return {
      ...now,
      processing: true,
      messages: [
        ...now.messages,
        { ...blank, id, role: 'user', content: action.question.trim(), state: 'complete' },
        { ...blank, id: id + 1, role: 'assistant', content: '', state: 'writing' },
      ],
    }
  }
  if (action.type === 'open' || action.type === 'start-fresh') {
    if (now.processing) return now
    if (action.type === 'start-fresh') return EMPTY
    const { id, is_mine, created_by, messages } = action.conversation
    return { ...EMPTY, messages: storedTurns(messages), stored: { id, is_mine, created_by, isEarlier: true } }
  }
  if (!now.processing) return now
  if (action.type === 'stop') return finish(now, { state: 'stopped' })
  if (action.type === 'fail') return finish(now, { state: 'failed', error: action.message })
  const { event, data } = action.event
  switch (event) {
    case 'sources':
      return change(now, { sources: data.sources })
    case 'delta':
      return change(now, { content: (now.messages.at(-1)?.content ?? '') + data.text })
    case 'error':
      return finish(now, { state: 'failed', error: data.message || CHAT_FAILED })
    case 'done': {
      const { answer, sources, statements, model, words_only: wordsOnly, conversation_id: id } = data
      const stored = now.stored ?? { id, is_mine: true, created_by: null, isEarlier: false }
      return { ...finish(now, { state: 'complete', content: answer, sources, statements, wordsOnly }), model, stored }
    }
  }
}

const change = (now: Conversation, part: Partial<ChatMessage>): Conversation => ({
  ...now,
  messages: now.messages.map((message, index) =>
    index === now.messages.length - 1 ? { ...message, ...part } : message,
  ),
})

const finish = (now: Conversation, part: Partial<ChatMessage>): Conversation => ({
  ...change(now, part),
  processing: false,
})

/**
 * Returns the state of the conversation about one document and functions to change it. `ask` sends a question, `stop` ends the
 * running answer, `open` shows the messages of an earlier conversation, and `startFresh` begins a new one. At first there are
 * no messages (CHAT-10). Unmounting aborts a running answer.
 */
export function useChat(documentId: string) {
  const [conversation, dispatch] = useReducer(converse, EMPTY)
  const continued = conversation.stored?.id
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ask = useCallback(
    async (question: string) => {
      if (running.current || !question.trim()) return
      const control = new AbortController()
      running.current = control
      dispatch({ type: 'ask', question, at: new Date().toISOString() })
      const request = { question: question.trim(), ...(continued === undefined ? {} : { conversation_id: continued }) }
      let title = 'Search Error'
      try {
        for await (const event of streamAnswer(documentId, request, control.signal)) {
          if (event.event === 'sources') title = 'Answer Generation Error'
          if (event.event === 'error') throw new Error(event.data.message)
          dispatch({ type: 'receive', event })
        }
      } catch (error) {
        if (control.signal.aborted) return
        const message = messageOf(error, CHAT_FAILED)
        dispatch({ type: 'fail', message })
        toast({ title, description: message, destructive: true })
      } finally {
        if (running.current === control) running.current = null
      }
    },
    [documentId, continued],
  )

  const stop = useCallback(() => {
    running.current?.abort()
    running.current = null
    dispatch({ type: 'stop' })
  }, [])

  const open = useCallback((stored: ConversationWithMessages) => dispatch({ type: 'open', conversation: stored }), [])
  const startFresh = useCallback(() => dispatch({ type: 'start-fresh' }), [])

  return { ...conversation, ask, stop, open, startFresh }
}
