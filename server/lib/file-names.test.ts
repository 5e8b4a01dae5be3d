import { describe, expect, it } from 'vitest'
import { safeName, uniquePaths } from './file-names.ts'

describe('names in the archive', () => {
  it.each([
    ['a/b\\c:d', 'a_b_c_d'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['con.txt', '_con.txt'],
    ['Schlafspindeln und Gedächtnis. ', 'Schlafspindeln und Gedächtnis'],
    ['...', 'untitled'],
    ['line\nbreak', 'line_break'],
    ['paper\u202Efdp.exe', 'paperfdp.exe'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['睡'.repeat(100), '睡'.repeat(73)],
  ])('safeName turns %j into a name that is valid on every file system', (given, name) => {
    expect(safeName(given, 'untitled')).toBe(name)
  })

  it('uniquePaths returns no path twice, ignoring case', () => {
    const next = uniquePaths()
    expect([next('d', 'Paper', '.pdf'), next('d', 'paper', '.pdf'), next('d', 'Paper', '.pdf')]).toEqual([
      'd/Paper.pdf',
      'd/paper (2).pdf',
      'd/Paper (3).pdf',
    ])
  })
})
