import { expect, it } from 'vitest'
import { designAsked } from '#server/language/design-question.ts'
import { quoteDesigns } from './library-designs.ts'
import type { PaperPassage } from './paper-passage.ts'

const passage = (document_id: string, content: string, more: Partial<PaperPassage> = {}): PaperPassage => ({
  document_id,
  content,
  section: null,
  authors: [],
  score: 0.5,
  similarity: 0.5,
  page_number: 1,
  page_offset: 0,
  start: 0,
  end: content.length,
  ...more,
})

const textsOf = (question: string, passages: readonly PaperPassage[]) =>
  quoteDesigns(designAsked(question)!, passages).map(({ text }) => text)

const TRIAL = 'We randomised 120 adults to walks or to usual care.'
const COHORT = 'This cohort study followed 2,310 farm workers for four winters.'
const TALKS = 'Semi-structured interviews with 18 midwives were analysed thematically.'

it('quoteDesigns quotes the sentence that names the design, of papers with this design only', () => {
  const passages = [
    passage('a', `Abstract\nBlood pressure is often high. ${TRIAL}`),
    passage('b', `Abstract\n${COHORT}`),
    passage('c', `Abstract\n${TALKS}`),
    passage('d', 'Abstract\nFour schools started a garden; the classes were not randomised.'),
  ]
  expect(textsOf('Which studies were randomised trials?', passages)).toEqual([TRIAL])
  expect(textsOf('Are there any cohort studies?', passages)).toEqual([COHORT])
  expect(textsOf('Which papers are qualitative?', passages)).toEqual([TALKS])
  expect(textsOf('Which papers are case-control studies?', passages)).toEqual([])
})

it('quoteDesigns does not treat a recommended trial, or the trials of a review, as the design of the paper', () => {
  const passages = [
    passage('a', `Abstract\n${COHORT}\n\nDiscussion\nA randomised controlled trial should be conducted.`),
    passage('b', 'Abstract\nThis systematic review summarises eleven randomised trials of tea.'),
  ]
  expect(textsOf('Which studies were randomised trials?', passages)).toEqual([])
})

it('quoteDesigns follows a stored evidence level', () => {
  const level = { evidence_level: 'Level 3: Prospective cohort' }
  const loose = 'Randomised to walks, the 120 adults walked daily. Prospective cohort of adults who walk.'
  const passages = [passage('a', `Methods\n${TRIAL} ${loose}`, level), passage('b', `Methods\n${TRIAL}`)]
  expect(quoteDesigns(designAsked('Which studies were randomised trials?')!, passages)).toEqual([
    { passage: 1, text: TRIAL },
  ])
  expect(textsOf('Are there any cohort studies?', passages)).toEqual(['Prospective cohort of adults who walk.'])
})

it('quoteDesigns quotes the title as it is printed, if no sentence names the design', () => {
  const printed = 'Messages for asthma (adults):\na systematic review'
  const passages = [
    passage('a', `${printed}\n\nAbstract\nNineteen trials were found.`, {
      title: 'Messages for asthma (adults): a systematic review',
    }),
  ]
  expect(textsOf('Are there any systematic reviews?', passages)).toEqual([printed])
})

it('quoteDesigns quotes only sentences that match the further words of a question', () => {
  const passages = [
    passage('a', `Abstract\n${TRIAL}`),
    passage('b', 'Abstract\nThis double-blind study had 84 runners.'),
  ]
  expect(textsOf('Which studies were double-blind?', passages)).toEqual(['This double-blind study had 84 runners.'])
})

it('quoteDesigns quotes papers about the subject of the question only', () => {
  const passages = [
    passage('a', `Abstract\n${TRIAL}`, { score: 0.9 }),
    passage('b', 'Abstract\nWe randomised 84 runners to a gel or a placebo.', { score: 0.8 }),
  ]
  expect(textsOf('Which randomised trials tested walks?', passages)).toEqual([TRIAL])
})

it('quoteDesigns treats a trial with interviews as a qualitative study only if its title says so', () => {
  const passages = [passage('a', `Abstract\n${TRIAL} Semi-structured interviews were conducted with 20 adults.`)]
  expect(textsOf('Which papers are qualitative?', passages)).toEqual([])
})
