import { describe, expect, it } from 'vitest'
import { regrouped } from './group-pairs.ts'

const pair = (first: string, second: string, group = first) => ({ first, second, group })

describe('groups of pairs', () => {
  it.each([
    ['a single pair keeps its group', [pair('a', 'b')], []],
    ['connected pairs get the smallest id', [pair('a', 'c'), pair('b', 'c')], [pair('b', 'c', 'a')]],
    [
      'a chain is one group in any order',
      [pair('d', 'e'), pair('c', 'd'), pair('a', 'b'), pair('b', 'c')],
      [pair('d', 'e', 'a'), pair('c', 'd', 'a'), pair('b', 'c', 'a')],
    ],
    ['a group without its middle becomes two', [pair('a', 'b'), pair('c', 'd', 'a')], [pair('c', 'd')]],
  ])('regrouped: %s', (_what, pairs, changed) => {
    expect(regrouped(pairs)).toEqual(changed)
  })
})
