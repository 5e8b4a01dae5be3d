import { describe, expect, it } from 'vitest'
import { ApiError, messageOf } from './api.ts'

describe('the words of an error', () => {
  it.each([
    ['an error', new Error(''), 'Unknown error occurred'],
    ['a refused call', new ApiError(500, 'failed', ''), 'Unknown error occurred'],
    ['what is no error', { oops: true }, 'Unknown error occurred'],
  ])("are 'Unknown error occurred' for %s without a message (ERR-05)", (_what, error, words) => {
    expect(messageOf(error)).toBe(words)
    expect(messageOf(error, 'Failed to save document')).toBe('Failed to save document')
  })

  it('are its own where it has some', () => {
    expect(messageOf(new Error('The disk is full.'))).toBe('The disk is full.')
    expect(messageOf(new ApiError(422, 'refused', 'The name is taken.'))).toBe('The name is taken.')
  })
})
