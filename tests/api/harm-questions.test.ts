import { beforeAll, describe, expect, it } from 'vitest'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import { api } from '#shared/contract/paths.ts'
import { type Asking, begin, type Paper } from '#tests/helpers/asking.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const PARAGRAPH =
  'The rooms were dark and quiet, and the curtains stayed closed until the bell rang. Each of the rooms had four beds and one clock on the wall above the door. '

const WALK_HARMS = 'Two walkers sprained an ankle; no serious adverse events occurred.'
const WALK_COSTS = 'The evening walks came to 212 euros per participant.'
const GEL_HARMS = 'Eleven runners in the gel group reported itching of the skin.'
const GEL_SIZE = 'Of 96 runners and walkers who were enrolled, 88 participants completed the study.'
const CLUB_SIZE = 'We recruited 41 older adults in three towns.'
const GEL_COSTS = 'A tube of the gel was sold for £3.50 in British pharmacies.'

const paper = (title: string, abstract: string, results: string): Paper => ({
  title,
  text: `Abstract\n${abstract}\n\nIntroduction\n${PARAGRAPH.repeat(8)}\n\nResults\n${results}`,
})
const PAPERS = [
  paper(
    'Evening walks',
    'Evening walks lowered the blood pressure of adults. Evening walks are an effective treatment.',
    `${WALK_HARMS} ${WALK_COSTS}`,
  ),
  paper(
    'A gel for sore knees',
    'The gel relieved the pain of runners quickly. The effects of the gel pleased the runners.',
    `${GEL_HARMS} ${GEL_COSTS} ${GEL_SIZE}`,
  ),
  paper(
    'A reading club',
    'The reading club improved the mood of pensioners, and they made friends.',
    `People took part in most meetings of the reading club. ${CLUB_SIZE}`,
  ),
]

describe('questions about harms, costs and the size of the sample', () => {
  let asking: Asking
  let papers: string[]
  const textsOf = async (question: string) =>
    (await asking.ask(await asking.start(), question)).answer!.sentences.map(({ text }) => text)
  const chatWith = async (place: number, question: string) =>
    (await asking.ada.json<{ data: ChatAnswer }>(api.documentChat(papers[place]!), { body: { question } })).data.answer

  beforeAll(async () => {
    asking = await begin(sharedServer())
    papers = []
    for (const one of PAPERS) papers.push(await asking.insert(one))
    await asking.vectorize(papers)
  })

  it.each([
    ['What side effects did the gel have?', [GEL_HARMS]],
    ['Were the evening walks safe?', [WALK_HARMS]],
    ['How much did the evening walks cost?', [WALK_COSTS]],
    ['What was the price of the gel?', [GEL_COSTS]],
    ['How many people took part in the study of the gel?', [GEL_SIZE]],
  ])(
    '%s is answered over a project by a harm, an amount or a size, not by a benefit (LIB-35)',
    async (question, quotes) => {
      expect(await textsOf(question)).toEqual(quotes)
    },
  )

  it('A question about harms of a treatment without reported harms is refused (LIB-36)', async () => {
    expect(await textsOf('What harm did the reading club cause?')).toEqual([])
    expect(await chatWith(2, 'Did the reading club harm the pensioners?')).not.toContain('mood')
  })

  it('A question for the size of the sample is answered by it, in other words than the question (CHAT-08)', async () => {
    expect(await chatWith(2, 'How many people took part?')).toContain(`“${CLUB_SIZE}” [p. 1]`)
    expect(await chatWith(1, 'What was the sample size?')).toBe(`“${GEL_SIZE}” [p. 1]`)
  })

  it.each([
    [0, 'Was the treatment safe?', WALK_HARMS],
    [1, 'What were the side effects of the gel?', GEL_HARMS],
    [1, 'What was the price of the gel?', GEL_COSTS],
  ])(
    'The chat with paper %i answers %s by a harm or an amount, not by a benefit (CHAT-08)',
    async (at, question, quote) => {
      const answer = await chatWith(at, question)
      expect(answer).toContain(`“${quote}” [p. 1]`)
      expect(answer).not.toMatch(/effective|relieved|pleased/)
    },
  )
})
