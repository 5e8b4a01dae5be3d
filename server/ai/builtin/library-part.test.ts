import { expect, it } from 'vitest'
import type { PaperPassage } from './paper-passage.ts'
import { quotePart } from './library-part.ts'

const passage = (document_id: string, content: string, more: Partial<PaperPassage> = {}): PaperPassage => ({
  document_id,
  content,
  section: null,
  authors: [],
  score: 0.5,
  similarity: 0.5,
  page_number: 1,
  page_offset: 0,
  start: 0,
  end: content.length,
  ...more,
})

const textsOf = (...of: Parameters<typeof quotePart>) => quotePart(...of).map(({ text }) => text)

it('quotePart prefers conclusions to single findings', () => {
  const passages = [
    passage('a', 'Recall rose by 12% in the nurses who slept.', { section: 'Results' }),
    passage('a', 'We measured recall. Recall rose by 12%. Overall, short naps help nurses.', { page_number: 0 }),
    passage('b', 'Methodology and principal findings: We followed 214 patients with confirmed infection.'),
    passage('b', 'Conclusions and significance: Two tests sort patients by risk.'),
  ]
  expect(textsOf('findings', passages, { most: 6, least: 0 })).toEqual([
    'Overall, short naps help nurses.',
    'Conclusions and significance: Two tests sort patients by risk.',
  ])
})

it('quotePart leaves out a paper without a sentence of the part', () => {
  const passages = [
    passage('a', 'A larger trial is planned in four districts.'),
    passage('b', 'Earlier work in chemistry is scarce and old.'),
  ]
  expect(textsOf('future', passages, { most: 6, least: 0 })).toEqual(['A larger trial is planned in four districts.'])
})

it('quotePart quotes the limitation and not its announcement', () => {
  const passages = [passage('a', 'The trial has limitations. All patients were treated in one of the two clinics.')]
  expect(textsOf('limitations', passages, { most: 6, least: 0 })).toEqual([
    'All patients were treated in one of the two clinics.',
  ])
})

it('quotePart quotes the line with the first author', () => {
  const content = 'Short naps in nurses\nAda Lovelace, Mary Somerville\nUniversity of Turin'
  const authors = ['Lovelace, Ada']
  const citing = passage('a', 'Ada Lovelace studied naps before.', { authors, page_number: 3 })
  const passages = [passage('a', content, { authors }), citing, passage('b', content)]
  expect(quotePart('authors', [citing], { most: 6, least: 0 })).toEqual([])
  expect(quotePart('authors', passages, { most: 6, least: 0 })).toEqual([
    { passage: 0, text: 'Ada Lovelace, Mary Somerville' },
  ])
})

it('quotePart quotes at most the given number of papers', () => {
  const passages = ['a', 'b', 'c'].map((id) => passage(id, 'Overall, short naps help the nurses of all wards.'))
  expect(quotePart('findings', passages, { most: 2, least: 0 }).map((quote) => quote.passage)).toEqual([0, 1])
})

it('quotePart prefers the end of the abstract to another section', () => {
  const passages = [
    passage('a', 'Overall, naps help the nurses.', { section: 'Discussion' }),
    passage('a', 'We measured recall. Overall, short naps help nurses.', { page_number: 0 }),
  ]
  expect(textsOf('findings', passages, { most: 6, least: 0 })).toEqual(['Overall, short naps help nurses.'])
})

it('quotePart leaves out the papers below the lowest score', () => {
  const passages = [
    passage('a', 'Overall, short naps help the nurses of all wards.', { score: 0.9 }),
    passage('b', 'Overall, bread was cheap in every town.', { score: 0.2 }),
  ]
  expect(quotePart('findings', passages, { most: 6, least: 0.5 }).map((quote) => quote.passage)).toEqual([0])
})
