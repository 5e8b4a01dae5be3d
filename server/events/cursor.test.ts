import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'

describe('cursor', () => {
  it.each([
    { seen: '766:766:' },
    { seen: '766:769:766,768' },
    { seen: '766:766:', part: { upTo: '769:770:769', row: 12 } },
    { seen: '18446744073709551000:18446744073709551001:' },
  ])('A cursor is read as it was written: %o', (cursor) => {
    expect(readCursor(writeCursor(cursor))).toEqual(cursor)
  })

  // A client sends the text, so it is checked before PostgreSQL gets it.
  it.each([
    '',
    '12',
    '1:2',
    "1:1:' or 1=1",
    '9:3:',
    '1:5:4,3',
    '1:5:5',
    '0:0:',
    '1:99999999999999999999:20000000000000000000',
    '1:1:~2:2:',
    '1:1:~2:1:~3',
    `1:9:${'1,'.repeat(9000)}1`,
    null,
    undefined,
  ])('A text that is not a cursor is refused: %o', (text) => {
    expect(readCursor(text)).toBeUndefined()
  })
})
