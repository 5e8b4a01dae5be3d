import { describe, expect, it } from 'vitest'
import { insightsFromText } from './document-edits.ts'
import { statusLabel } from './documents.ts'
import { storedFileName } from './document-files.ts'

describe('insightsFromText', () => {
  it('insightsFromText returns one trimmed insight per line without empty lines (EDIT-13)', () => {
    expect(insightsFromText('  One. \n\n \t\nTwo.\n')).toEqual(['One.', 'Two.'])
  })

  it('insightsFromText returns the raw text when no line remains (EDIT-14)', () => {
    expect(insightsFromText('  \n ')).toEqual(['  \n '])
    expect(insightsFromText('')).toEqual([])
  })
})

describe('statusLabel', () => {
  it.each([
    ['pending', 'Pending'],
    ['processing', 'Processing'],
    ['processed', 'Completed'],
    ['completed', 'Completed'],
    ['error', 'Error'],
    ['archived', 'Pending'],
    ['', 'Pending'],
  ])("statusLabel of '%s' is %s (STATE-11, STATE-12, STATE-13)", (status, label) => {
    expect(statusLabel(status)).toBe(label)
  })
})

describe('storedFileName', () => {
  it('storedFileName has a timestamp and replaces special characters by underscores (STOR-01, STOR-02)', () => {
    expect(storedFileName('Ü naps (v2)_final-1.pdf', new Date(1_700_000_000_000))).toBe(
      '1700000000000___naps__v2__final-1.pdf',
    )
  })
})
