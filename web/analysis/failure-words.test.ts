import { describe, expect, it } from 'vitest'
import { analysisFailure } from './failure-words.ts'

describe('analysis failure message', () => {
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
    ['', 'Failed to analyze document'],
  ])('A failed analysis with the error %j has a message for the user (MSG-47, MSG-48)', (message, words) => {
    expect(analysisFailure(message, 'Failed to analyze document')).toBe(words)
  })
})
