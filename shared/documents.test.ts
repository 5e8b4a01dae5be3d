import { describe, expect, it } from 'vitest'
import { insightsFromText, statusLabel, storedFileName } from './documents.ts'

describe('insights as they are typed', () => {
  it('are one a line, trimmed, without empty lines (EDIT-13)', () => {
    expect(insightsFromText('  One. \n\n \t\nTwo.\n')).toEqual(['One.', 'Two.'])
  })

  it('are kept raw when no line remains (EDIT-14)', () => {
    expect(insightsFromText('  \n ')).toEqual(['  \n '])
    expect(insightsFromText('')).toEqual([])
  })
})

describe('a status as people read it', () => {
  it.each([
    ['pending', 'Pending'],
    ['processing', 'Processing'],
    ['processed', 'Completed'],
    ['completed', 'Completed'],
    ['error', 'Error'],
    ['archived', 'Pending'],
    ['', 'Pending'],
  ])('%s: STATE-11, STATE-12, an unknown one is pending STATE-13', (status, label) => {
    expect(statusLabel(status)).toBe(label)
  })
})

describe('the stored name of an upload', () => {
  it('has underscores for all but letters, digits, dots, underscores and hyphens, after its time (STOR-01, STOR-02)', () => {
    expect(storedFileName('Ü naps (v2)_final-1.pdf', new Date(1_700_000_000_000))).toBe(
      '1700000000000___naps__v2__final-1.pdf',
    )
  })
})
