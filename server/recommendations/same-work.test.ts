import { describe, expect, it } from 'vitest'
import { knownWorks, titleKey } from './same-work.ts'

const kept = {
  doi: 'https://doi.org/10.5555/Naps.2024',
  title: 'Naps and sleep in old age: a trial',
  date: '2024-03-01',
}

describe('knownWorks', () => {
  it.each([
    ['the same DOI in another form', { doi: 'doi:10.5555/NAPS.2024', title: 'Other words', date: null }, true],
    [
      'the preprint of the previous year',
      { doi: '10.1101/1', title: 'Naps and Sleep in Old Age – A Trial', date: '2023-11-20' },
      true,
    ],
    ['the same title without a DOI', { doi: null, title: 'NAPS AND SLEEP IN OLD AGE: A TRIAL', date: '2024' }, true],
    ['the same title, year unknown', { doi: null, title: 'Naps and sleep in old age: a trial.', date: null }, true],
    [
      'the same title ten years earlier',
      { doi: null, title: 'Naps and sleep in old age: a trial', date: '2014' },
      false,
    ],
    ['another title', { doi: null, title: 'Naps and sleep in old age', date: '2024' }, false],
    ['no title and no DOI', { doi: null, title: null, date: null }, false],
  ])('knownWorks compares %s', (_, work, known) => {
    expect(knownWorks([kept]).has(work)).toBe(known)
  })

  it('knownWorks does not merge works with different DOIs and the same short title', () => {
    const works = knownWorks([{ doi: '10.1/a', title: 'Editorial', date: '2024' }])
    expect(works.has({ doi: '10.1/b', title: 'Editorial', date: '2024' })).toBe(false)
    expect(works.has({ doi: null, title: 'Editorial', date: '2024' })).toBe(true)
  })

  it('titleKey ignores accents, punctuation and case, in any script', () => {
    expect(titleKey('Épreuve: <i>l’été</i>')).toBe('epreuveiletei')
    expect(titleKey('睡眠と記憶')).toBe(titleKey('睡眠と記憶。'))
  })
})
