import { expect, it } from 'vitest'
import { csvLine } from './csv-line.ts'

it.each([
  [['2026-11-21', 'ada@example.org', 3, 0.25, true, null], '2026-11-21,ada@example.org,3,0.25,true,'],
  [['a "b", c', 'two\nlines'], '"a ""b"", c","two\nlines"'],
  [
    ['=HYPERLINK("http://x")', '+1', '-1', '-a', 'b; =1;-2', '@SUM(A1)', '\tx'],
    `"'=HYPERLINK(""http://x"")",'+1,-1,'-a,b;' =1;-2,'@SUM(A1),'\tx`,
  ],
  [['\n=1', ' =1', '\uFF1D1'], `"'\n=1",' =1,'\uFF1D1`],
  [[-1, 1e-7], '-1,1e-7'],
])('csvLine writes %j', (values, line) => expect(csvLine(values)).toBe(`${line}\r\n`))
