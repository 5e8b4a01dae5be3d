import { expect, it } from 'vitest'
import type { ZoteroSync, ZoteroTree } from '#shared/contract/zotero.ts'
import { choose, countOf, NOTHING, replacedBy, requestOf, selectionOf, stateOf, withDescendants } from './selection.ts'

const collection = (key: string, parent: string | null, count: number) => ({ key, name: key, parent, count })
const tree: ZoteroTree = {
  library: 'users/1',
  name: 'My library',
  readable: true,
  count: 20,
  error: null,
  collections: [collection('A', null, 3), collection('B', 'A', 4), collection('C', 'B', 0), collection('D', null, 5)],
}
const request = (choice: typeof NOTHING, withSubcollections: boolean) =>
  requestOf([tree], new Map([[tree.library, choice]]), withSubcollections)

const states = (choice: typeof NOTHING, withSubcollections: boolean) =>
  ['A', 'B', 'C', 'D', null].map((key) => stateOf(tree, choice, key, withSubcollections))

it('A collection is chosen with its subcollections, and only the topmost one is requested (FMT-81)', () => {
  const chosen = choose(tree, NOTHING, 'A', true, true)
  expect(states(chosen, true)).toEqual([true, true, true, false, 'some'])
  expect(countOf(tree, chosen)).toEqual({ count: 7, isExact: false })
  expect(request(chosen, true)).toEqual({
    libraries: [{ library: 'users/1', collections: ['A'] }],
    with_subcollections: true,
  })
  const without = choose(tree, chosen, 'B', false, true)
  expect(states(without, true)).toEqual(['some', false, false, false, 'some'])
  expect(request(without, true)).toEqual({
    libraries: [{ library: 'users/1', collections: ['A'] }],
    with_subcollections: false,
  })
})

it('With subcollections switched off, a collection is chosen alone; they can be added later (FMT-81)', () => {
  const chosen = choose(tree, NOTHING, 'A', true, false)
  expect(states(chosen, false)).toEqual([true, false, false, false, 'some'])
  expect(countOf(tree, chosen)).toEqual({ count: 3, isExact: true })
  expect([...withDescendants(tree, chosen).keys]).toEqual(['A', 'B', 'C'])
})

it('A whole library is requested without collections, and a click leaves one of them out (FMT-81)', () => {
  const all = choose(tree, NOTHING, null, true, true)
  expect(states(all, true)).toEqual([true, true, true, true, true])
  expect(countOf(tree, all)).toEqual({ count: 20, isExact: true })
  expect(request(all, true).libraries).toEqual([{ library: 'users/1', collections: null }])
  expect(request(choose(tree, all, 'D', false, true), true).libraries).toEqual([
    { library: 'users/1', collections: ['A'] },
  ])
  expect(request(NOTHING, true).libraries).toEqual([])
})

it('The selection of an earlier import requests the same choice, and another choice replaces the import (FMT-81)', () => {
  const options = { with_subcollections: true, with_pdfs: true, with_tags: true }
  const sync: ZoteroSync = {
    ...options,
    id: '',
    project_id: '',
    library: tree.library,
    name: 'My library, A',
    collections: ['A', 'deleted'],
    synchronize: 'hourly',
    by: 'Ada',
    is_own: true,
    last_synced_at: null,
    last_error: null,
    version: 1,
  }
  const selection = selectionOf(tree, sync)
  expect([...selection.keys]).toEqual(['A', 'B', 'C'])
  const present = { ...sync, collections: ['A'] }
  const same = { ...options, ...request(selection, true) }
  expect(replacedBy([present], same)).toEqual([])
  expect(replacedBy([{ ...present, is_own: false }], same)).toHaveLength(1)
  expect(replacedBy([present], { ...same, with_pdfs: false })).toEqual([present])
  expect(replacedBy([present], { ...same, libraries: [] })).toEqual([])
  const all = { ...present, collections: null }
  expect(selectionOf(tree, all).all).toBe(true)
  expect(replacedBy([all], { ...options, ...request(selectionOf(tree, all), true) })).toEqual([])
  expect(replacedBy([all], same)).toEqual([all])
})
