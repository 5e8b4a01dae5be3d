import { expect, it } from 'vitest'
import { readDetails } from './details.ts'

it('readDetails describes changes in words', () => {
  expect(
    readDetails({
      rss_feed_url: { from: null, to: 'https://example.org/rss' },
      name: { from: 'Sleep', to: 'Sleep Research' },
      works_count: { from: null, to: 12 },
      count: 3,
      reason: 'Bulk excluded',
      fields: ['name', 'publisher'],
      default: true,
      nothing: null,
      deep: { a: 1 },
    }),
  ).toEqual([
    'RSS feed: none → https://example.org/rss',
    'name: Sleep → Sleep Research',
    'works: none → 12',
    'count: 3',
    'reason: Bulk excluded',
    'fields: name, publisher',
    'default: yes',
    'deep: {"a":1}',
  ])
  expect(readDetails({ from: null, to: 5 })).toEqual(['none → 5'])
  expect(readDetails({})).toEqual([])
})
