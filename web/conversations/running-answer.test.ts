import { describe, expect, it } from 'vitest'
import type { AnswerSentence, AnswerSource, ConversationEvent } from '#shared/contract/conversations.ts'
import { asMessage, receive, type RunningAnswer, stepsOf } from './running-answer.ts'

const start: RunningAnswer = {
  conversationId: null,
  messageId: null,
  question: 'Do naps help?',
  scope: { kind: 'all' },
  leaveOutRetracted: true,
  askedAt: '2026-11-21T10:00:00Z',
  step: 'papers',
  papers: null,
  passages: null,
  kind: 'answer',
  sentences: [],
  sources: [],
  stopping: false,
  failure: null,
}
const after = (...events: ConversationEvent[]) => events.reduce(receive, start)
const papers: ConversationEvent = { event: 'papers', data: { message_id: 'm', papers: 42 } }
const passages: ConversationEvent = { event: 'passages', data: { passages: 1, kind: 'passages' } }
const checking: ConversationEvent = { event: 'checking', data: {} }
const words = (running: RunningAnswer) => stepsOf(running).map((step) => `${step.done ? '+ ' : ''}${step.words}`)

describe('stepsOf', () => {
  it('stepsOf names the finished steps and the current one (LIB-13)', () => {
    expect(words(start)).toEqual(['Looking through the papers…'])
    expect(words(after(papers))).toEqual(['Looking through 42 papers…'])
    expect(words(after(papers, passages))).toEqual(['+ Looked through 42 papers', 'Reading 1 passage…'])
    expect(words(after(papers, passages, checking))).toEqual([
      '+ Looked through 42 papers',
      '+ Read 1 passage',
      'Checking the quotes…',
    ])
  })
})

describe('receive', () => {
  const sentence: AnswerSentence = { text: 'They do.', evidence: [], marks: [], group: null }
  const source = (number: number, title: string): AnswerSource => ({
    number,
    title,
    document_id: String(number),
    authors: '',
    year: null,
    evidence_level: null,
    retracted: false,
    citation: { html: '', text: '', style: null },
  })
  const send = (...sources: AnswerSource[]): ConversationEvent => ({ event: 'sentence', data: { sentence, sources } })

  it('receive appends sentences and stores each source once, by its number', () => {
    const running = after(papers, send(source(2, 'old')), send(source(1, 'first'), source(2, 'new')))
    expect(running.sentences).toHaveLength(2)
    expect(running.sources.map(({ number, title }) => [number, title])).toEqual([
      [1, 'first'],
      [2, 'new'],
    ])
    expect(asMessage(running)).toMatchObject({ id: 'm', status: 'answering', answer: { papers: 42, kind: 'answer' } })
  })

  it('A streamed answer of the built-in model is shown as passages (LIB-35)', () => {
    const running = after(papers, passages, checking, send(source(1, 'first')))
    expect(asMessage(running).answer).toMatchObject({ kind: 'passages', passages: 1 })
  })

  it('asMessage returns a failed message without an answer for a question that failed', () => {
    expect(asMessage({ ...start, failure: 'No text.' })).toMatchObject({
      status: 'failed',
      error: 'No text.',
      answer: null,
    })
  })
})
