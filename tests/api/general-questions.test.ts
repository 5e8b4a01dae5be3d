import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ConversationMessage, ReadPassage } from '#shared/contract/conversations.ts'
import { api } from '#shared/contract/paths.ts'
import { type Asking, begin, type Paper } from '#tests/helpers/asking.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const PARAGRAPH =
  'The rooms were dark and quiet, and the curtains stayed closed until the bell rang. Each of the rooms had four beds and one clock on the wall above the door. '

/** Returns a paper with headings. Its introduction and its discussion are long enough to fill several passages each. */
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
    asking = await begin(sharedServer())
    const papers = []
    for (const one of PAPERS) papers.push(await asking.insert(one))
    await asking.vectorize(papers)
    await untilIndexed(asking)
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
  ])('%s is answered by a sentence of the asked part of each paper (LIB-35)', async (question, quotes) => {
    expect(quotesOf(await asking.ask(await asking.start(), question))).toEqual(quotes)
  })

  it('A question about a part and a subject is answered by the papers about the subject alone (LIB-35)', async () => {
    const question = 'What are the limitations of the study of short naps in nurses?'
    expect(quotesOf(await asking.ask(await asking.start(), question))).toEqual(['All nurses worked in one hospital.'])
  })

  it('At most five passages of one paper are read for a question about a part of the papers (LIB-23)', async () => {
    const long = await begin(sharedServer())
    const limitations = Array.from({ length: 3 }, (_, at) => `${PARAGRAPH.repeat(7)}Limit ${at} of these studies.`)
    const studies = `Earlier studies had other limitations. ${PARAGRAPH.repeat(6)}`
    const paper = await long.insert({
      title: 'Naps on wards',
      text: `Introduction\n${studies.repeat(8)}\n\nLimitations\n${limitations.join('\n\n')}`,
    })
    await long.vectorize([paper])
    await untilIndexed(long)
    const message = await long.ask(await long.start(), 'What are the limitations of these studies?')
    const { data } = await long.ada.json<{ data: ReadPassage[] }>(api.answerPassages(message.id))
    expect(data).toHaveLength(5)
    const ofPart = data.findIndex(({ content }) => content.includes('Earlier studies'))
    expect(ofPart).toBeGreaterThan(0)
  })

  it('A question about the authors is refused if no paper has authors (LIB-36)', async () => {
    const { answer } = await asking.ask(await asking.start(), 'Who wrote these papers?')
    expect(answer).toMatchObject({ kind: 'refusal', sentences: [] })
  })

  it('A question about the authors quotes the lines with their names (LIB-35)', async () => {
    const signed = await begin(sharedServer())
    await signed.insert({
      title: 'Naps in nurses',
      text: 'Ada Lovelace, Mary Somerville\n\nNaps helped the nurses of all wards.',
    })
    await inDatabase(sharedServer(), 'update documents set authors = $2 where project_id = $1', [
      signed.project,
      ['Lovelace, Ada'],
    ])
    await untilIndexed(signed)
    const message = await signed.ask(await signed.start(), 'Who are the authors of these papers?')
    expect(quotesOf(message)).toEqual(['Ada Lovelace, Mary Somerville'])
  })
})

/** Waits until the search index of a project includes all its papers. */
const untilIndexed = ({ server, project }: Asking) =>
  vi.waitFor(
    async () => {
      const stale = 'select 1 from indexed_documents where is_stale and project_id = $1'
      const waiting = await inDatabase(server, stale, [project])
      if (waiting.length > 0) throw new Error('The index of the papers is not built.')
    },
    { timeout: 180_000, interval: 150 },
  )
