import { describe, expect, it } from 'vitest'
import type { ChatSource } from '#shared/chat.ts'
import { type ChatAction, converse, type Conversation, EMPTY } from './use-chat.ts'

const source: ChatSource = { content: 'Naps help.', page_number: 6, page_offset: 0, similarity: 0.9, start: 0, end: 10 }
const ask: ChatAction = { type: 'ask', question: ' Do naps help? ', at: '2026-11-21T10:00:00Z' }
const after = (...actions: ChatAction[]): Conversation => actions.reduce(converse, EMPTY)
const delta = (text: string): ChatAction => ({ type: 'receive', event: { event: 'delta', data: { text } } })

describe('converse', () => {
  it('adds the question and an answer being written', () => {
    const now = after(ask)
    expect(now.processing).toBe(true)
    expect(now.messages.map(({ role, content, state }) => [role, content, state])).toEqual([
      ['user', 'Do naps help?', 'complete'],
      ['assistant', '', 'writing'],
    ])
  })

  it('sends nothing empty and nothing while an answer is being written', () => {
    expect(after({ ...ask, question: ' \n ' })).toEqual(EMPTY)
    expect(after(ask, { ...ask, question: 'And now?' }).messages).toHaveLength(2)
  })

  it('grows with the stream and ends with the whole answer', () => {
    const done: ChatAction = {
      type: 'receive',
      event: {
        event: 'done',
        data: {
          answer: 'They do.',
          sources: [source],
          statements: [{ text: 'They do.', passages: [] }],
          model: 'tiny',
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

  it('keeps what was written when it fails or is stopped, and can be asked again', () => {
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

  it('lets nothing change a finished answer', () => {
    const stopped = after(ask, { type: 'stop' })
    expect(converse(stopped, delta('late'))).toBe(stopped)
  })
})
