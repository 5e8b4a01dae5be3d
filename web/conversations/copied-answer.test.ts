import { expect, it } from 'vitest'
import type { ConversationMessage, StoredEvidence } from '#shared/contract/conversations.ts'
import { copiedAnswer } from './copied-answer.ts'

const evidence = (document_id: string): StoredEvidence => ({
  id: document_id,
  document_id,
  text_version: 1,
  page: 2,
  start: 0,
  end: 5,
  quote: 'Naps.',
  prefix: '',
  suffix: '',
  match: 'exact',
  score: 1,
  lost: false,
})

const message: ConversationMessage = {
  id: 'm',
  question: 'Do naps < 20 min help?',
  scope: { kind: 'all' },
  leave_out_retracted: false,
  asked_at: '2026-11-21T10:00:00Z',
  status: 'done',
  error: null,
  answer: {
    kind: 'answer',
    sentences: [
      { text: 'They help.', evidence: [evidence('a')], marks: [], group: 0 },
      {
        text: 'By 18%.',
        evidence: [evidence('a'), evidence('b')],
        marks: [{ kind: 'number', words: ['18%'] }],
        group: 0,
      },
    ],
    groups: ['2 papers report a gain'],
    unsupported: [{ text: 'All authors agree.', reason: 'no quote' }],
    nearest: [],
    missing: [],
    apart: [],
    papers: 3,
    retracted_left_out: 0,
    passages: 12,
    words_only: null,
    model: 'test',
    cached: false,
  },
  chat: null,
  sources: [
    ['a', false],
    ['b', true],
    ['c', false],
  ].map(([id, retracted], index) => ({
    number: index + 1,
    document_id: String(id),
    title: null,
    authors: '',
    year: null,
    evidence_level: null,
    retracted: Boolean(retracted),
    citation: { html: `<i>Journal ${String(id)}</i>`, text: `Journal ${String(id)}`, style: null },
  })),
  run_id: null,
  run_number: null,
  feedback: null,
}

it('copiedAnswer has sentences with numbers and doubts and the cited sources, and no sentence without evidence', () => {
  expect(copiedAnswer(message)).toEqual({
    html: [
      '<p><b>Do naps &lt; 20 min help?</b></p>',
      '<p><b>2 papers report a gain:</b> They help. [1] By 18%. [1][2] (number not in the quote)</p>',
      '<p><b>Sources</b></p>',
      '<p>[1] <i>Journal a</i></p>',
      '<p>[2] [retracted] <i>Journal b</i></p>',
    ].join('\n'),
    text: [
      'Do naps < 20 min help?',
      '2 papers report a gain: They help. [1] By 18%. [1][2] (number not in the quote)',
      'Sources\n[1] Journal a\n[2] [retracted] Journal b',
    ].join('\n\n'),
  })
})

it('copiedAnswer says that an answer is incomplete, and why (LIB-13)', () => {
  const stopped = copiedAnswer({ ...message, status: 'stopped' })
  expect(stopped.text.split('\n\n')[2]).toBe('Stopped. The sentences above are verified.')
  expect(stopped.html.split('\n')[2]).toBe('<p>Stopped. The sentences above are verified.</p>')
  const failed = copiedAnswer({ ...message, status: 'failed', error: 'The provider is < busy.' })
  expect(failed.html.split('\n')[2]).toBe('<p>The provider is &lt; busy.</p>')
})

it('copiedAnswer has a paragraph for each quote of the built-in model (LIB-35)', () => {
  const sentences = message.answer!.sentences.map((one) => ({ ...one, group: null, marks: [] }))
  const { text } = copiedAnswer({ ...message, answer: { ...message.answer!, kind: 'passages', sentences, groups: [] } })
  expect(text.split('\n\n').slice(1, 4)).toEqual(['These passages answer best:', 'They help. [1]', 'By 18%. [1][2]'])
})

it('copiedAnswer has a label before the quotes of each side (LIB-16)', () => {
  const sentences = message.answer!.sentences.map((one, at) => ({ ...one, group: at === 0 ? 0 : null, marks: [] }))
  const groups = ['1 paper reports a decrease in pain', '1 paper reports an increase in pain']
  const { text } = copiedAnswer({ ...message, answer: { ...message.answer!, kind: 'passages', sentences, groups } })
  expect(text.split('\n\n').slice(1, 5)).toEqual([
    '1 paper reports a decrease in pain:',
    'They help. [1]',
    'Other passages:',
    'By 18%. [1][2]',
  ])
})
