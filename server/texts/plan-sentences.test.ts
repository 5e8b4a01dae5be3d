import { describe, expect, it } from 'vitest'
import { planSentences } from './plan-sentences.ts'

const plan = (content: string, pageOffset = 0) =>
  planSentences({ content, pageNumber: 1, pageOffset, isReference: false }).map(({ start, end }) =>
    content.slice(start - pageOffset, end - pageOffset),
  )

describe('planSentences', () => {
  it.each<[string, string[]]>([
    ['2.1 Methods\nWe asked forty people twice. See above.', ['We asked forty people twice.']],
    ['Table 1 12 34 56\n78 90', ['Table 1 12 34 56\n78 90']],
  ])('planSentences chooses the sentences of %j', (content, expected) => {
    expect(plan(content)).toEqual(expected)
    expect(plan(content, 321)).toEqual(expected)
  })
})
