import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConversationMessage } from '#shared/contract/conversations.ts'
import { type Asking, begin, type Paper } from '#tests/helpers/asking.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const PARAGRAPH =
  'The rooms were dark and quiet, and the curtains stayed closed until the bell rang. Each of the rooms had four beds and one clock on the wall above the door. '

/** A paper with headings. Its introduction and its discussion fill several passages. */
const paper = (title: string, parts: Record<'Methods' | 'Limitations' | 'Conclusions', string>): Paper => ({
  title,
  text: [
    `Introduction\n${PARAGRAPH.repeat(8)}`,
    `Methods\n${parts.Methods}`,
    `Discussion\n${PARAGRAPH.repeat(8)}`,
    `Limitations\n${parts.Limitations}`,
    `Conclusions\n${parts.Conclusions}`,
  ].join('\n\n'),
})

const PAPERS = [
  paper('Short naps in nurses', {
    Methods: 'We recruited 120 nurses and measured their recall after naps of 20 minutes.',
    Limitations: 'The study has two limitations. All nurses worked in one hospital.',
    Conclusions: 'In conclusion, short naps help nurses to remember words.',
  }),
  paper('Long naps in students', {
    Methods: 'We surveyed 80 students of two universities in spring.',
    Limitations: 'The students reported their naps themselves.',
    Conclusions: 'We conclude that long naps do not help students.',
  }),
]

const quotesOf = ({ answer }: ConversationMessage) => answer!.sentences.map(({ text }) => text).toSorted()

describe('a general question over a project', () => {
  let asking: Asking

  beforeAll(async () => {
    const server = sharedServer()
    asking = await begin(server)
    const papers = []
    for (const one of PAPERS) papers.push(await asking.insert(one))
    await asking.vectorize(papers)
    await vi.waitFor(
      async () => {
        const stale = 'select 1 from indexed_documents where is_stale and project_id = $1'
        const waiting = await inDatabase(server, stale, [asking.project])
        if (waiting.length > 0) throw new Error('The index of the papers is not built.')
      },
      { timeout: 180_000, interval: 150 },
    )
  })

  it.each([
    [
      'What are the main findings of these papers?',
      ['In conclusion, short naps help nurses to remember words.', 'We conclude that long naps do not help students.'],
    ],
    [
      'What methods were used?',
      [
        'We recruited 120 nurses and measured their recall after naps of 20 minutes.',
        'We surveyed 80 students of two universities in spring.',
      ],
    ],
    [
      'What are the limitations of the studies?',
      ['All nurses worked in one hospital.', 'The students reported their naps themselves.'],
    ],
  ])('%s is answered by a sentence of the asked part of each paper (LIB-30)', async (question, quotes) => {
    expect(quotesOf(await asking.ask(await asking.start(), question))).toEqual(quotes)
  })

  it('A question about the authors is answered by the lines with their names, and refused without names', async () => {
    const question = 'Who are the authors of these papers?'
    const before = await asking.ask(await asking.start(), question)
    expect(before.answer).toMatchObject({ kind: 'refusal', sentences: [] })
    const server = sharedServer()
    await inDatabase(server, 'update documents set authors = $2 where project_id = $1', [
      asking.project,
      ['Short Naps'],
    ])
    expect(quotesOf(await asking.ask(await asking.start(), question))).toEqual(['Short naps in nurses'])
  })
})
