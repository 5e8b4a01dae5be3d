import { describe, expect, it } from 'vitest'
import { designAsked } from './design-question.ts'

const namesOf = (question: string) => designAsked(question)?.designs.map(({ name }) => name)

describe('designAsked', () => {
  it.each([
    ['Which studies were randomised trials?', 'Randomised controlled trial'],
    ['How many of the studies are RCTs?', 'Randomised controlled trial'],
    ['How many systematic reviews are there?', 'Systematic review or meta-analysis'],
    ['Did any of the studies randomise participants?', 'Randomised controlled trial'],
    ['Are there any systematic reviews?', 'Systematic review or meta-analysis'],
    ['List the cohort studies.', 'Cohort or longitudinal study'],
    ['Is there a case report?', 'Case study or case report'],
    ['Which papers are case-control studies?', 'Case-control study'],
    ['Do any of the papers report a cross-sectional survey?', 'Cross-sectional study or survey'],
    ['Which papers are qualitative?', 'Qualitative study'],
    ['Which of them are non-randomised trials?', 'Controlled experiment'],
  ])('designAsked reads the design of %j', (question, name) => {
    expect(namesOf(question)).toEqual([name])
    expect(designAsked(question)!.subject).toBe('')
  })

  it('designAsked reads several designs and a further condition', () => {
    expect(namesOf('Which papers are reviews?')).toHaveLength(2)
    expect(designAsked('Which study was double-blind?')).toMatchObject({ words: /blind/i })
    expect(designAsked('Which papers report meta-analyses?')).toMatchObject({ words: /meta-?analy/i })
  })

  it.each([
    ['Which randomised trials tested a gel?', 'tested a gel'],
    ['Which studies of naps in nurses were randomised?', 'of naps in nurses'],
    ['Are there any cohort studies on vitamin D?', 'on vitamin D'],
  ])('designAsked reads the subject of %j', (question, subject) => {
    expect(designAsked(question)?.subject).toBe(subject)
  })

  it.each([
    'What did the randomised trials find?',
    'Which randomised trials found a benefit?',
    'What is a cohort study?',
    'Why was a randomised trial not possible?',
    'How many patients were in the cohort?',
    'How many patients were randomised?',
    'How many interviews with architects were held?',
    'Which studies were not randomised?',
    'Which trials tested naps?',
    'Which surveys did the authors use?',
    'Which of the surveys was sent by mail?',
    'What methods were used in these papers?',
  ])('designAsked returns null for %j', (question) => {
    expect(designAsked(question)).toBe(null)
  })
})
