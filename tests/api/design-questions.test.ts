import { beforeAll, describe, expect, it } from 'vitest'
import type { ConversationMessage } from '#shared/contract/conversations.ts'
import { type Asking, begin, type Paper } from '#tests/helpers/asking.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const PARAGRAPH =
  'The rooms were dark and quiet, and the curtains stayed closed until the bell rang. Each of the rooms had four beds and one clock on the wall above the door. '

const paper = (title: string, abstract: string, methods: string): Paper => ({
  title,
  text: `Abstract\n${abstract}\n\nIntroduction\n${PARAGRAPH.repeat(8)}\n\nMethods\n${methods}\n\nDiscussion\n${PARAGRAPH.repeat(8)}`,
})

const WALKS = 'We randomised 120 adults to evening walks or to usual care.'
const GEL = 'Eighty-four runners were allocated at random to a gel or to a placebo.'
const COHORT = 'This cohort study followed 2,310 farm workers in Jutland for four winters.'
const TALKS = 'Interviews with 18 midwives were taped and typed.'

const PAPERS = [
  paper('Evening walks', `Randomised trials of walks are rare. ${WALKS}`, 'Allocation used sealed envelopes.'),
  paper('Sore knees of runners', 'A gel relieved the pain of runners.', GEL),
  paper('Falls in winter', COHORT, 'A nurse took blood in October. A randomised controlled trial should be conducted.'),
  paper('Talks about home births', 'Midwives trust the weather at home births.', TALKS),
]

const quotesOf = ({ answer }: ConversationMessage) => answer!.sentences.map(({ text }) => text)

describe('a question over a project for the papers with a study design', () => {
  let asking: Asking
  let papers: string[]

  beforeAll(async () => {
    asking = await begin(sharedServer())
    papers = []
    for (const one of PAPERS) papers.push(await asking.insert(one))
    await asking.vectorize(papers)
  })

  it.each([
    ['Which studies were randomised trials?', [GEL, WALKS]],
    ['Are there any cohort studies?', [COHORT]],
    ['Which randomised trials tested a gel?', [GEL]],
  ])('%s is answered by the sentence of each paper that names this design (LIB-35)', async (question, quotes) => {
    const message = await asking.ask(await asking.start(), question)
    expect(quotesOf(message).toSorted()).toEqual(quotes)
    for (const { evidence } of message.answer!.sentences) expect(evidence).toMatchObject([{ match: 'exact', page: 1 }])
  })

  it('A question for a design is refused if no paper has the design, or if no evidence level names it (LIB-36)', async () => {
    const question = 'Which papers are case-control studies?'
    const { answer } = await asking.ask(await asking.start(), question)
    expect(answer).toMatchObject({ kind: 'refusal', sentences: [] })
    const level = 'Level 4: Case-control study'
    await inDatabase(asking.server, 'update documents set evidence_level = $2 where id = $1', [papers[2], level])
    expect(quotesOf(await asking.ask(await asking.start(), 'Are there any cohort studies?'))).toEqual([])
  })

  it('An evidence level without the name of a design excludes no paper (LIB-35)', async () => {
    const other = await begin(sharedServer())
    const id = await other.insert(PAPERS[1]!)
    await inDatabase(other.server, "update documents set evidence_level = '2b' where id = $1", [id])
    await other.vectorize([id])
    expect(quotesOf(await other.ask(await other.start(), 'Which studies were randomised trials?'))).toEqual([GEL])
  })

  it('The passage that supports an evidence level is quoted from any part of a paper (LIB-35)', async () => {
    const level = 'Level 3: Cohort study'
    const sentence = 'Prospective cohort of 900 miners, weighed each year for ten years.'
    const text = `Coal and weight\n\n${PARAGRAPH.repeat(20)}${sentence} ${PARAGRAPH.repeat(8)}`
    const miners = await begin(sharedServer())
    const id = await miners.insert({ title: 'Coal and weight', text: text.slice(text.indexOf('The rooms')) })
    const start = text.indexOf(sentence)
    const passage = { quote: sentence, page: 1, start, end: start + sentence.length, match: 'exact', score: 1 }
    const passages = JSON.stringify([{ ...passage, field: 'evidence_level', item: 0, statement: level }])
    const statement = 'update documents set evidence_level = $2, passages = $3::jsonb where id = $1'
    await inDatabase(miners.server, statement, [id, level, passages])
    await miners.vectorize([id])
    expect(quotesOf(await miners.ask(await miners.start(), 'Are there any cohort studies?'))).toEqual([sentence])
  })

  it('A question that refers to the papers of the question before is about its subject (LIB-35)', async () => {
    const id = await asking.start()
    await asking.ask(id, 'What relieved the pain of runners?')
    expect(quotesOf(await asking.ask(id, 'Which of them were randomised?'))).toEqual([GEL])
  })
})
