import { describe, expect, it } from 'vitest'
import type { Passage } from '#shared/passages.ts'
import { passagesOf, stretches } from './statements.ts'

const passage = (item: number, statement: string, page = 1): Passage => ({
  field: 'summary',
  item,
  statement,
  quote: statement,
  page,
  start: 0,
  end: 5,
  match: 'exact',
  score: 1,
})

describe('cutting a text after its statements', () => {
  it('puts each passage behind its own words', () => {
    const text = 'Sleep helps. Naps help too (p < .05). More is needed.'
    const cut = stretches(text, [passage(1, 'Naps help too (p < .05).', 4), passage(0, 'Sleep helps.', 2)])
    expect(cut.map((one) => [one.text, one.passages.map((found) => found.page)])).toEqual([
      ['Sleep helps.', [2]],
      [' Naps help too (p < .05).', [4]],
      [' More is needed.', []],
    ])
  })

  it('keeps a closing quotation mark before the link', () => {
    const cut = stretches('They say: “Naps help.” More.', [passage(0, 'Naps help.')])
    expect(cut.map((one) => one.text)).toEqual(['They say: “Naps help.”', ' More.'])
  })

  it('reads over line breaks', () => {
    expect(stretches('One\ntwo  three.', [passage(0, 'One two three.')])).toHaveLength(1)
  })

  it('leaves a statement aside that the text no longer holds', () => {
    expect(stretches('Rewritten.', [passage(0, 'The old words.')])).toEqual([{ text: 'Rewritten.', passages: [] }])
  })

  it('finds the second of two equal sentences behind the first', () => {
    const cut = stretches('Yes. Yes.', [passage(0, 'Yes.', 1), passage(1, 'Yes.', 2)])
    expect(cut.map((one) => one.passages[0]?.page)).toEqual([1, 2])
  })
})

describe('the passages of a field', () => {
  it('takes one item or all', () => {
    const all = [passage(0, 'a'), passage(1, 'b')]
    expect(passagesOf(all, 'summary', 1)).toEqual([all[1]])
    expect(passagesOf(all, 'insights')).toEqual([])
  })
})
