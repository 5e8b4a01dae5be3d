import { expect, it } from 'vitest'
import { roomNames } from './room-names.mjs'

it.each(['note', 'Notes', 'my notes', '../notes', '', undefined])('A room is not created with the name %j', (name) => {
  expect(() => roomNames(name)).toThrow('in kebab-case and the plural')
})

it('The names of a room come from its plural', () => {
  const names = { table: 'reading_lists', single: 'readingList', Plural: 'ReadingLists', Label: 'Reading list' }
  expect(roomNames('reading-lists')).toMatchObject(names)
  expect(roomNames('entries')).toMatchObject({ single: 'entry' })
})
