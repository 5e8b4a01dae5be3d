import { describe, expect, it } from 'vitest'
import { listens, maySetForSession, mayCopyIn, wipesOthers } from './statement-text.ts'

describe('statement text', () => {
  it.each([
    ['set role reader', true],
    ['select 1; SET search_path = x', true],
    ["select set_config('a', 'b', false)", true],
    ["select set_config('role', $1, $2)", true],
    ['set local role reader', false],
    ['set transaction read only', false],
    ["select set_config('role', $1, true), set_config('app.user_id', $2, true)", false],
    ['update t set a = 1', false],
  ])('maySetForSession detects session settings: %s', (text, is) => expect(maySetForSession(text)).toBe(is))

  it.each([
    ['listen news', [{ channel: 'news', on: true }]],
    ['LISTEN News', [{ channel: 'news', on: true }]],
    ['listen "Ne""ws"', [{ channel: 'Ne"ws', on: true }]],
    ['unlisten news', [{ channel: 'news', on: false }]],
    ['UNLISTEN *', [{ channel: '*', on: false }]],
    [
      'listen a; listen b',
      [
        { channel: 'a', on: true },
        { channel: 'b', on: true },
      ],
    ],
    ["select 'listen to me'", []],
  ])('listens returns the channels of LISTEN and UNLISTEN: %s', (text, found) => expect(listens(text)).toEqual(found))

  it.each([
    ['discard all', true],
    ['DEALLOCATE ALL', true],
    ['deallocate prepare all', true],
    ['deallocate mine', false],
    ["select 'discard all'", false],
  ])('wipesOthers detects statements that affect other connections: %s', (text, is) =>
    expect(wipesOthers(text)).toBe(is),
  )

  it('mayCopyIn detects COPY FROM STDIN', () => {
    expect(mayCopyIn('COPY t (a)\nFROM STDIN')).toBe(true)
    expect(mayCopyIn('copy t to stdout')).toBe(false)
  })
})
