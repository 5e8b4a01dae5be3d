import { expect, it } from 'vitest'
import { searchTerms } from './search-terms.ts'
import { inOneSpelling } from './spelling.ts'

it.each([
  ['diarrhoea', 'diarrhea'],
  ['anaemia', 'anemia'],
  ['oedema', 'edema'],
  ['oestrogen', 'estrogen'],
  ['paediatric', 'pediatric'],
  ['behaviour', 'behavior'],
  ['tumours', 'tumors'],
  ['randomised', 'randomized'],
  ['hospitalisation', 'hospitalization'],
  ['analysed', 'analyzed'],
  ['centre', 'center'],
  ['fibres', 'fibers'],
  ['labelled', 'labeled'],
  ['dialogue', 'dialog'],
  ['programmes', 'programs'],
  ['sulphate', 'sulfate'],
  ['defence', 'defense'],
])('%s and %s have one search term', (british, american) => {
  expect(inOneSpelling(british)).toBe(inOneSpelling(american))
  expect(searchTerms(british)).toEqual(searchTerms(american))
})

it.each(['hour', 'four', 'rise', 'wise', 'spelled', 'acre', 'before', 'analysis', 'basis', 'toe', 'shoes'])(
  'inOneSpelling leaves %s unchanged',
  (word) => {
    expect(inOneSpelling(word)).toBe(word)
  },
)
