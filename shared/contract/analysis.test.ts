import { describe, expect, it } from 'vitest'
import { parseEvidenceLevel } from './analysis.ts'

describe('parseEvidenceLevel', () => {
  it.each([
    ['Level 2: Randomised controlled trial', 2, '2', 'Randomised controlled trial'],
    ['Level 1', 1, '1', ''],
    ['4', 4, '4', ''],
    ['2b - cohort study', 2, '2b', 'cohort study'],
    ['Level 5 (expert opinion)', 5, '5', 'expert opinion'],
    ['Level II', 2, '2', ''],
    ['level iv', 4, '4', ''],
    ['Ib', 1, '1b', ''],
    ['IIA: cohort', 2, '2a', 'cohort'],
    ['III-2', 3, 'III-2', ''],
    ['Level III-2 (comparative study)', 3, 'III-2', 'comparative study'],
    ['Level of evidence: V', 5, '5', ''],
    ['LOE 3', 3, '3', ''],
  ])('parseEvidenceLevel reads %j', (text, level, label, design) => {
    expect(parseEvidenceLevel(text)).toEqual({ level, label, design })
  })

  it.each([
    null,
    '',
    'Unknown',
    'High',
    'I think it is a trial',
    'in vitro',
    'v',
    'Level 10',
    'Level VI',
    'Moderate (GRADE)',
  ])('parseEvidenceLevel returns null for %j', (text) => {
    expect(parseEvidenceLevel(text)).toBeNull()
  })
})
