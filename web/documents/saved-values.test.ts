import { describe, expect, it } from 'vitest'
import { LOOKED_UP_FIELDS, type LookedUpField } from '#shared/contract/lookup.ts'
import type { Chosen } from '#web/lookup/index.ts'
import { changeOf, savedText, type SavedValues, withChosen } from './saved-values.ts'

const reference = Object.fromEntries(LOOKED_UP_FIELDS.map((name) => [`reference.${name}`, ''])) as Record<
  `reference.${LookedUpField}`,
  string
>
const empty: SavedValues = {
  title: 'Rest',
  doi_link: '',
  publication_date: '',
  journal_name: '',
  summary: '',
  lifestyle_recommendations: '',
  evidence_level: '',
  authors: '',
  abstract: '',
  keywords: [],
  social_post: '',
  insights: '',
  ...reference,
  'reference.issued': null,
  semantic_paperid: '',
  retracted: false,
}
const issued = { 'date-parts': [[2021]] }
const chosen: Chosen = { fields: {}, reference: { issued, volume: '3' }, semantic_paperid: null, retracted: false }

describe('changeOf', () => {
  it('A looked-up year replaces the day of the form and counts as looked up', () => {
    const before = { ...empty, publication_date: 'January 01, 2021' }
    expect(changeOf(before, withChosen(before, empty, chosen), chosen)).toEqual({
      retracted: false,
      reference: { issued, volume: '3' },
      looked_up: ['publication_date', 'volume'],
    })
  })

  it('The date of another member that the user chose is kept instead of a looked-up year', () => {
    const theirs = {
      ...empty,
      publication_date: 'March 04, 2020',
      'reference.issued': { 'date-parts': [[2020, 3, 4]] },
    }
    const now = { ...withChosen(theirs, empty, chosen), 'reference.issued': theirs['reference.issued'] }
    expect(changeOf(theirs, now, chosen)).toEqual({
      retracted: false,
      reference: { volume: '3' },
      looked_up: ['volume'],
    })
    expect(savedText(theirs['reference.issued'], 'reference.issued')).toContain('2020')
  })

  it('A day that the user enters after a looked-up year is stored instead of the year', () => {
    const typed = { ...empty, publication_date: 'March 04, 2021' }
    expect(changeOf(empty, withChosen(empty, typed, chosen), chosen)).toEqual({
      publication_date: '2021-03-04',
      retracted: false,
      reference: { volume: '3' },
      looked_up: ['volume'],
    })
  })
})
