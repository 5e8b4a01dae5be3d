import { expect, it } from 'vitest'
import { nearHit } from './near-hit.ts'

const hit = { text: 'sleep', hit: true }

it('nearHit shortens a long text before the first match to its last whole words', () => {
  const long = { text: '…wore actigraphs for two weeks before the first night in the laboratory. Their ', hit: false }
  expect(nearHit([long, hit])).toEqual([{ text: '…first night in the laboratory. Their ', hit: false }, hit])
})
it('nearHit does not change a short text before the first match, or a match at the beginning', () => {
  const short = { text: 'DOI: 10.5555/', hit: false }
  const after = { text: 'x'.repeat(100), hit: false }
  expect(nearHit([short, hit])).toEqual([short, hit])
  expect(nearHit([hit, after])).toEqual([hit, after])
  expect(nearHit([])).toEqual([])
})
