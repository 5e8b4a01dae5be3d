import { describe, expect, it } from 'vitest'
import type { ChatSource } from '#shared/contract/chat.ts'
import type { ConversationWithMessages } from '#shared/contract/conversations.ts'
import { type ChatAction, converse, type Conversation, EMPTY } from './use-chat.ts'

const source: ChatSource = { content: 'Naps help.', page_number: 6, page_offset: 0, similarity: 0.9, start: 0, end: 10 }
const ask: ChatAction = { type: 'ask', question: ' Do naps help? ', at: '2026-11-21T10:00:00Z' }
const after = (...actions: ChatAction[]): Conversation => actions.reduce(converse, EMPTY)
const delta = (text: string): ChatAction => ({ type: 'receive', event: { event: 'delta', data: { text } } })

describe('converse', () => {
  it('converse adds the question and an unfinished answer (CHAT-11, CHAT-12)', () => {
    const now = after(ask)
    expect(now.processing).toBe(true)
    expect(now.messages.map(({ role, content, state }) => [role, content, state])).toEqual([
      ['user', 'Do naps help?', 'complete'],
      ['assistant', '', 'writing'],
    ])
  })

  it('converse ignores an empty question, and any question during an answer (CHAT-07, CHAT-13)', () => {
    expect(after({ ...ask, question: ' \n ' })).toEqual(EMPTY)
    expect(after(ask, { ...ask, question: 'And now?' }).messages).toHaveLength(2)
  })

  it('converse appends the stream and ends with the complete answer (CHAT-11, CHAT-12)', () => {
    const done: ChatAction = {
      type: 'receive',
      event: {
        event: 'done',
        data: {
          answer: 'They do.',
          sources: [source],
          statements: [{ text: 'They do.', passages: [], unsupported_numbers: [] }],
          model: 'tiny',
          words_only: false,
          conversation_id: '00000000-0000-4000-8000-000000000001',
        },
      },
    }
    const half = after(
      ask,
      { type: 'receive', event: { event: 'sources', data: { sources: [source] } } },
      delta('They '),
      delta('d'),
    )
    expect(half.messages.at(-1)).toMatchObject({ content: 'They d', sources: [source], state: 'writing' })
    const whole = converse(half, done)
    expect(whole).toMatchObject({ processing: false, model: 'tiny' })
    expect(whole.messages.at(-1)).toMatchObject({ content: 'They do.', state: 'complete' })
  })

  it('converse leaves the partial answer after a failure or a stop, and accepts a new question (MSG-106)', () => {
    const failed = after(ask, delta('They '), { type: 'fail', message: 'No answer was generated' })
    expect(failed.messages.at(-1)).toMatchObject({
      content: 'They ',
      state: 'failed',
      error: 'No answer was generated',
    })
    const stopped = converse(after(ask, delta('They ')), { type: 'stop' })
    expect(stopped.messages.at(-1)).toMatchObject({ content: 'They ', state: 'stopped' })
    expect(converse(stopped, ask).messages).toHaveLength(4)
  })

  it('converse never changes a finished answer', () => {
    const stopped = after(ask, { type: 'stop' })
    expect(converse(stopped, delta('late'))).toBe(stopped)
  })
})

describe('converse with stored conversations', () => {
  const conversation: ConversationWithMessages = {
    id: '0b6e5f0a-6f0a-4b4a-9c57-6a1f0a0e0001',
    project_id: null,
    document_id: '0b6e5f0a-6f0a-4b4a-9c57-6a1f0a0e0002',
    title: 'Do naps help?',
    visibility: 'me',
    created_by: null,
    is_mine: true,
    may_remove: false,
    created_at: '2026-11-21T10:00:00Z',
    updated_at: '2026-11-21T10:00:00Z',
    questions: 1,
    version: 1,
    messages: [
      {
        id: '0b6e5f0a-6f0a-4b4a-9c57-6a1f0a0e0003',
        question: 'Do naps help?',
        scope: { kind: 'all' },
        leave_out_retracted: false,
        asked_at: '2026-11-21T10:00:00Z',
        status: 'done',
        error: null,
        answer: null,
        chat: { answer: 'They do.', sources: [source], statements: [], model: 'tiny', words_only: true },
        sources: [],
        run_id: null,
        run_number: null,
        feedback: null,
      },
    ],
  }

  it('converse shows the turns of an earlier conversation, continues it, and starts fresh', () => {
    const opened = after({ type: 'open', conversation })
    expect(opened.messages.map(({ role, content, state }) => [role, content, state])).toEqual([
      ['user', 'Do naps help?', 'complete'],
      ['assistant', 'They do.', 'complete'],
    ])
    expect(opened.messages[1]).toMatchObject({ sources: [source], wordsOnly: true })
    const continued = converse(opened, ask)
    expect(continued.messages).toHaveLength(4)
    expect(continued.stored).toMatchObject({ id: conversation.id, isEarlier: true })
    expect(converse(continued, { type: 'start-fresh' })).toBe(continued)
    expect(converse(opened, { type: 'start-fresh' })).toEqual(EMPTY)
  })
})
