import { describe, expect, it } from 'vitest'
import { listFailures, uploadNotice, uploadSummary } from './upload-summary.ts'

const none = { uploaded: 0, refused: 0, failed: 0, waiting: 0 }

describe('upload summary', () => {
  it.each([
    [{ uploaded: 14, refused: 4 }, '14 uploaded, 4 refused'],
    [{ uploaded: 2 }, '2 uploaded'],
    [{ refused: 1, failed: 2 }, '0 uploaded, 1 refused, 2 failed'],
    [{ uploaded: 3, waiting: 5 }, '3 uploaded, 5 not sent'],
  ])('The summary names every state that occurs: %j', (counts, words) => {
    expect(uploadSummary({ ...none, ...counts })).toBe(words)
  })

  it('The failure list names at most three failures and counts the others', () => {
    expect(listFailures(['a', 'b', 'c'])).toBe('a\nb\nc')
    expect(listFailures(['a', 'b', 'c', 'd', 'e'])).toBe('c\nd\ne\nAnd 2 more.')
  })

  it('The notice is an error when a file was refused or failed, and not when the rest was cancelled', () => {
    expect(uploadNotice({ ...none, uploaded: 1, refused: 1 }, ['No.'])).toMatchObject({ destructive: true })
    expect(uploadNotice({ ...none, uploaded: 1, waiting: 1 }, [])).toMatchObject({ destructive: false })
  })
})
