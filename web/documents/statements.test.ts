import { describe, expect, it } from 'vitest'
import type { Passage } from '#shared/contract/passages.ts'
import { passagesOf, splitAtPassages } from './statements.ts'

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

describe('passages in a text', () => {
  it('splitAtPassages puts each passage after its own words', () => {
    const text = 'Sleep helps. Naps help too (p < .05). More is needed.'
    const cut = splitAtPassages(text, [passage(1, 'Naps help too (p < .05).', 4), passage(0, 'Sleep helps.', 2)])
    expect(cut.map((one) => [one.text, one.passages.map((found) => found.page)])).toEqual([
      ['Sleep helps.', [2]],
      [' Naps help too (p < .05).', [4]],
      [' More is needed.', []],
    ])
  })

  it('splitAtPassages keeps a closing quotation mark before the link', () => {
    const cut = splitAtPassages('They say: “Naps help.” More.', [passage(0, 'Naps help.')])
    expect(cut.map((one) => one.text)).toEqual(['They say: “Naps help.”', ' More.'])
  })

  it('splitAtPassages matches words across line breaks', () => {
    expect(splitAtPassages('One\ntwo  three.', [passage(0, 'One two three.')])).toHaveLength(1)
  })

  it('splitAtPassages ignores a statement that the text no longer contains', () => {
    expect(splitAtPassages('Rewritten.', [passage(0, 'The old words.')])).toEqual([
      { text: 'Rewritten.', passages: [] },
    ])
  })

  it('splitAtPassages finds the second of two equal sentences after the first', () => {
    const cut = splitAtPassages('Yes. Yes.', [passage(0, 'Yes.', 1), passage(1, 'Yes.', 2)])
    expect(cut.map((one) => one.passages[0]?.page)).toEqual([1, 2])
  })
})

describe('passagesOf', () => {
  it('passagesOf returns the passages of one item or of all items', () => {
    const all = [passage(0, 'a'), passage(1, 'b')]
    expect(passagesOf(all, 'summary', 1)).toEqual([all[1]])
    expect(passagesOf(all, 'insights')).toEqual([])
  })
})
