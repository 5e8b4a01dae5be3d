import { describe, expect, it } from 'vitest'
import { findSearchPhrases } from './search-phrases.ts'

describe('findSearchPhrases', () => {
  it.each([
    [
      'Does sleep after learning protect declarative memory in adults over 60, and which part of sleep carries the effect?',
      ['declarative memory', 'adults', 'sleep', 'learning'],
    ],
    [
      'Which interventions reduce Lassa fever transmission in West Africa?',
      ['Lassa fever transmission', 'West Africa', 'interventions'],
    ],
    [
      'How do microservice API patterns influence the understandability of REST APIs?',
      ['microservice API patterns', 'REST APIs', 'understandability'],
    ],
    ['Does exercise improve depression?', ['depression', 'exercise']],
    ['', []],
    ['What is the effect?', []],
  ])('findSearchPhrases finds the subject of %j', (question, phrases) => {
    expect(findSearchPhrases(question)).toEqual(phrases)
  })

  it('findSearchPhrases uses no word twice and returns at most eight phrases, also in another language', () => {
    const phrases = findSearchPhrases(
      'Wie wirkt Schlaf auf das Gedächtnis im Alter, und welche Rolle spielt der Schlaf am Tag für das Gedächtnis?',
    )
    const words = phrases.flatMap((phrase) => phrase.toLowerCase().split(' '))
    expect(words).toContain('gedächtnis')
    expect(words.filter((word) => word === 'schlaf')).toHaveLength(1)
    expect(findSearchPhrases(Array.from({ length: 30 }, (_, n) => `thing${n}`).join(', ')).length).toBeLessThanOrEqual(
      8,
    )
  })
})
