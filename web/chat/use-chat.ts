import { useCallback, useEffect, useReducer, useRef } from 'react'
import { CHAT_FAILED, type AnswerStatement, type ChatSource, type ChatStreamEvent } from '#shared/contract/chat.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { streamAnswer } from './stream-answer.ts'

/** A message of the conversation. An assistant message grows while it is `writing`. */
export interface ChatMessage {
  id: number
  role: 'user' | 'assistant'
  content: string
  /** Time of sending or of the start of the answer, ISO 8601. */
  timestamp: string
  sources: ChatSource[]
  /** The finished answer, sentence by sentence, with the passages of each sentence. */
  statements: AnswerStatement[]
  /** The paper was searched without vectors. */
  wordsOnly: boolean
  state: 'writing' | 'complete' | 'stopped' | 'failed'
  /** Error message for the user. */
  error?: string
}

export interface Conversation {
  messages: ChatMessage[]
  /** True from a question to the end of its answer; no question can be sent meanwhile. */
  processing: boolean
  /** The model of the last answer. */
  model: string | null
}

export type ChatAction =
  | { type: 'ask'; question: string; at: string }
  | { type: 'receive'; event: ChatStreamEvent }
  | { type: 'fail'; message: string }
  | { type: 'stop' }

export const EMPTY: Conversation = { messages: [], processing: false, model: null }

/** Reducer of the conversation. Ignores a question during an answer. */
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
      const { answer, sources, statements, model, words_only: wordsOnly } = data
      return { ...finish(now, { state: 'complete', content: answer, sources, statements, wordsOnly }), model }
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

/** State of the conversation about one document. Unmounting aborts a running answer. Messages are only in memory. */
export function useChat(documentId: string) {
  const [conversation, dispatch] = useReducer(converse, EMPTY)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ask = useCallback(
    async (question: string) => {
      if (running.current || !question.trim()) return
      const control = new AbortController()
      running.current = control
      dispatch({ type: 'ask', question, at: new Date().toISOString() })
      let title = 'Search Error'
      try {
        for await (const event of streamAnswer(documentId, question.trim(), control.signal)) {
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
    [documentId],
  )

  const stop = useCallback(() => {
    running.current?.abort()
    running.current = null
    dispatch({ type: 'stop' })
  }, [])

  return { ...conversation, ask, stop }
}
