import type { Item } from './cite.ts'

/** Sample references for the check of new styles and for tests. */
export const SAMPLE_ITEMS: [article: Item, book: Item, talk: Item] = [
  {
    id: 'nap',
    type: 'article-journal',
    title: 'Naps and <i>memory</i>',
    author: [
      { family: 'Marlowe', given: 'Ines' },
      { family: 'Okafor', given: 'Tobi' },
    ],
    issued: { 'date-parts': [[2025, 3, 14]] },
    'container-title': 'Journal of Sleep',
    volume: '18',
    page: '201-214',
    DOI: '10.5555/nap',
  },
  { id: 'book', type: 'book', title: 'Sleep', editor: [{ literal: 'North Quay' }], publisher: 'North Quay' },
  { id: 'talk', type: 'paper-conference', title: 'Spindles', issued: { 'date-parts': [[2019]] } },
]
