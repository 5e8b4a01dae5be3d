import { describe, expect, it } from 'vitest'
import { failureWords } from './failure-words.ts'

describe('failure message', () => {
  it.each([
    [
      '413 Request too large for model',
      'This document is too long to analyze. Please try a shorter document or split the content into smaller sections.',
    ],
    [
      'Edge Function returned a non-2xx status code',
      'The analysis service is currently unavailable. Please try again later.',
    ],
    ['Failed to create journal', 'Failed to create journal'],
    ['', ''],
  ])('A failed analysis with the error %j has a message for the user (MSG-47, MSG-48)', (message, words) => {
    expect(failureWords('analyze', message)).toBe(words)
  })

  it.each(['extract', 'ocr', 'vectorize', null])('A failure of another step (%j) keeps its message', (step) => {
    const message = 'The AI provider answered with a non-2xx status code (500).'
    expect(failureWords(step, message)).toBe(message)
  })
})
