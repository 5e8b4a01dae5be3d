import { expect, it } from 'vitest'
import { readDetails } from './details.ts'

it('says in words what was changed', () => {
  expect(
    readDetails({
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
    'name: Sleep → Sleep Research',
    'works count: none → 12',
    'count: 3',
    'reason: Bulk excluded',
    'fields: name, publisher',
    'default: yes',
    'deep: {"a":1}',
  ])
  expect(readDetails({})).toEqual([])
})
