import { describe, expect, it } from 'vitest'
import { EXAMPLE_QUESTIONS } from '#shared/contract/chat.ts'
import { partAsked, placesOfPart } from './question-part.ts'

describe('partAsked', () => {
  it('partAsked recognizes every question that the empty chat suggests', () => {
    expect(EXAMPLE_QUESTIONS.map(partAsked)).toEqual(['findings', 'methods', 'limitations'])
  })

  it.each([
    ['Who are the authors?', 'authors'],
    ['Who wrote this?', 'authors'],
    ['The authors of this paper?', 'authors'],
    ['What do the authors conclude?', 'findings'],
    ['What do the authors say about future work?', 'future'],
    ['Which threats to validity are mentioned?', 'limitations'],
    ['What are the limitations of the studies?', 'limitations'],
    ['What methods were used in these papers?', 'methods'],
    ['What do the authors plan?', 'future'],
  ])('partAsked finds the part of %j', (question, part) => {
    expect(partAsked(question)).toBe(part)
  })

  it('partAsked returns null for a question about a subject', () => {
    expect(partAsked('What did the authors find about sleep?')).toBe(null)
    expect(partAsked('Which limitations of actigraphy do the authors name?')).toBe(null)
    expect(partAsked('Which surveys did the authors use?')).toBe(null)
  })
})

describe('placesOfPart', () => {
  const places = (part: Parameters<typeof placesOfPart>[0], headings: string[]) => [
    ...placesOfPart(part, {
      count: headings.length,
      isUnder: (place, heading) => heading.test(headings[place]!),
    }).keys(),
  ]

  it('placesOfPart returns the end of the abstract first, and at most two places below a heading', () => {
    const headings = ['Abstract', 'Abstract', 'Abstract', 'Abstract', 'Results', 'Results', 'Results', 'Conclusion']
    expect(places('findings', headings)).toEqual([1, 2, 7, 4, 5])
  })

  it('placesOfPart returns no place for a paper without a heading of the part', () => {
    expect(places('limitations', ['Abstract', 'Discussion'])).toEqual([])
  })
})
