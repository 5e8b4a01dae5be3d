import { describe, expect, it } from 'vitest'
import { scopeOfAnswer } from './answer-texts.ts'

describe('scopeOfAnswer', () => {
  it.each([
    [{ kind: 'all' as const }, 42, 'from 42 papers'],
    [{ kind: 'papers' as const, document_ids: ['a'] }, 1, 'from 1 chosen paper'],
    [{ kind: 'tags' as const, tags: ['sleep', 'memory'] }, 3, 'from 3 papers with tags sleep or memory'],
  ])('scopeOfAnswer of %o and %i papers is "%s"', (scope, papers, words) =>
    expect(scopeOfAnswer(scope, papers)).toBe(words),
  )
})
