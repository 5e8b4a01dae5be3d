import { expect, it } from 'vitest'
import { wrongFields } from './wrong-fields.ts'

const before = { openalex_id: '' }
const valid = { name: 'A journal', openalex_id: '', works_count: '', citations_count: '', h_index: '', i10_index: '' }

it.each([
  ['an address of another site', 'https://example.org/S12'],
  ['a word', 'nature.com'],
  ['the ID of a work', 'W12'],
])('The form of a journal refuses %s as OpenAlex ID', (_what, openalex_id) => {
  expect(wrongFields(before, { ...valid, openalex_id })).toEqual({
    openalex_id: 'This is not the OpenAlex ID of a journal, such as S137773608.',
  })
})

it.each([
  ['no ID', ' '],
  ['a key', 's12'],
  ['an address of OpenAlex', 'openalex.org/S12'],
])('The form of a journal accepts %s as OpenAlex ID', (_what, openalex_id) => {
  expect(wrongFields(before, { ...valid, openalex_id })).toEqual({})
})

it('The form of a journal does not check an OpenAlex ID that is not changed', () => {
  const openalex_id = 'https://example.org/S12'
  expect(wrongFields({ openalex_id }, { ...valid, openalex_id })).toEqual({})
})

it('The form of a journal refuses a blank name and a count that is not a whole number (ADMJ-16)', () => {
  expect(wrongFields(before, { ...valid, name: ' ', h_index: '1.5', works_count: ' 12 ' })).toEqual({
    name: 'Journal name is required',
    h_index: 'This must be a whole number',
  })
})
