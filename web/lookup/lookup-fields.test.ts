import { describe, expect, it } from 'vitest'
import type { EditedField } from '#shared/contract/documents.ts'
import type { FoundPaper } from '#shared/contract/lookup.ts'
import {
  chosenFields,
  compareFields,
  type ComparedValues,
  factsToStore,
  firstChoice,
  labelsOf,
} from './lookup-fields.ts'

const facts = {
  title: 'Rest and recall',
  doi_link: '10.5555/rest',
  publication_date: '2021-02-28',
  journal_name: 'Journal of Rest',
  authors: ['Ada Lovelace', 'Mary Somerville'],
  abstract: 'Rest helped.',
  reference: {},
}
const paper: FoundPaper = {
  semantic_paperid: 'W300',
  retracted: false,
  likeness: 1,
  said: [
    { source: 'OpenAlex', facts: { ...facts, abstract: null } },
    { source: 'Crossref', facts: { ...facts, title: 'Rest and recall: a trial', journal_name: 'JOURNAL OF REST' } },
  ],
}
const now: ComparedValues = {
  title: 'Rest and  recall',
  doi_link: 'https://doi.org/10.5555/REST',
  publication_date: '2020-01-01',
  journal_name: null,
  authors: [],
  abstract: null,
  reference: {},
}

describe('metadata comparison', () => {
  it('The comparison omits equal fields, merges equal values of two services, and shows each difference once', () => {
    const shown = compareFields(now, paper, []).map(({ label, options }) => [
      label,
      ...options.map(({ head, text }) => `${head}: ${text}`),
    ])
    expect(shown).toEqual([
      ['Title', 'Now: Rest and  recall', 'Crossref: Rest and recall: a trial'],
      ['Authors', 'Now: ', 'OpenAlex and Crossref: Ada Lovelace, Mary Somerville'],
      ['Journal', 'Now: ', 'OpenAlex and Crossref: Journal of Rest'],
      ['Publication date', 'Now: January 01, 2020', 'OpenAlex and Crossref: February 28, 2021'],
      ['Abstract', 'Now: ', 'Crossref: Rest helped.'],
    ])
  })
  it('The comparison does not fill a field that a person emptied, and marks the fields that a person edited', () => {
    const fields = compareFields(now, paper, ['title', 'authors'])
    expect(fields.map(({ edited }) => edited)).toEqual([true, true, false, false, false])
    expect(fields.map(firstChoice)).toEqual(['Now', 'Now', 'OpenAlex', 'Now', 'Crossref'])
  })
  it('A year in the reference is shown as the current date and kept', () => {
    const dated = { ...now, publication_date: null, reference: { issued: { 'date-parts': [[2020]] } } }
    const date = compareFields(dated, paper, []).find(({ name }) => name === 'publication_date')!
    expect([date.options[0]!.text, firstChoice(date)]).toEqual(['2020', 'Now'])
  })
  it('A date without a day is offered, and taken as a date of the reference', () => {
    const issued = { 'date-parts': [[2021]] }
    const dated = { ...facts, publication_date: null, reference: { issued } }
    const found: FoundPaper = { ...paper, said: [{ source: 'OpenAlex', facts: dated }] }
    const fields = compareFields({ ...now, publication_date: null }, found, [])
    const { options } = fields.find(({ name }) => name === 'publication_date')!
    expect(options.map(({ head, text }) => `${head}: ${text}`)).toEqual(['Now: ', 'OpenAlex: 2021'])
    const chosen = chosenFields(fields, new Map())
    expect([chosen.fields.publication_date, chosen.reference]).toEqual([undefined, { issued }])
    expect(labelsOf(chosen.reference)).toEqual(['Publication date'])
  })
  it('A look-up from which the user takes nothing removes no retraction mark, and stores nothing of another paper', () => {
    const same = { ...now, title: facts.title }
    const retracted = { ...paper, said: paper.said.slice(0, 1), retracted: true }
    const store = (current: ComparedValues, found: FoundPaper, count: number, isMarked: boolean) =>
      factsToStore(found, compareFields(current, found, []), { count, isMarked })
    const alone = { ...paper, said: paper.said.slice(0, 1) }
    expect(store(same, alone, 0, true)).toEqual({ semantic_paperid: 'W300', retracted: true })
    expect(store(same, retracted, 0, false)).toEqual({ semantic_paperid: 'W300', retracted: true })
    expect(store({ ...now, title: 'Other' }, retracted, 0, false)).toEqual({ semantic_paperid: null, retracted: false })
    expect(store(same, alone, 1, true)).toEqual({ semantic_paperid: 'W300', retracted: false })
    const ofCrossref = { ...paper, semantic_paperid: null, said: paper.said.slice(1) }
    expect(store(same, ofCrossref, 1, true)).toEqual({ semantic_paperid: null, retracted: true })
  })
  it('The default choice fills missing fields and changes no others', () => {
    const fields = compareFields(now, paper, [])
    expect(fields.map(firstChoice)).toEqual(['Now', 'OpenAlex', 'OpenAlex', 'Now', 'Crossref'])
    expect(
      chosenFields(
        fields,
        new Map([
          ['title', 'Crossref'],
          ['journal_name', 'Now'],
        ]),
      ),
    ).toEqual({
      fields: {
        title: 'Rest and recall: a trial',
        authors: facts.authors,
        abstract: 'Rest helped.',
      },
      reference: {},
    })
  })
  it('Missing fields of the reference are filled, and a type that a person did not choose is replaced', () => {
    const found = { ...facts, reference: { type: 'paper-conference', volume: '3', page: '1-9' } } as const
    const mine = { ...facts, reference: { type: 'article-journal', page: '1' } } as const
    const chosen = (edited: readonly EditedField[]) =>
      chosenFields(
        compareFields(mine, { ...paper, said: [{ source: 'Crossref', facts: { ...found, authors: [] } }] }, edited),
        new Map(),
      ).reference
    expect(chosen([])).toEqual({ type: 'paper-conference', volume: '3' })
    expect(chosen(['type'])).toEqual({ volume: '3' })
  })
})
