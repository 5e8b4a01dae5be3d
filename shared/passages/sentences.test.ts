import { describe, expect, it } from 'vitest'
import { splitSentences } from './sentences.ts'

const sentences = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end))

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['', []],
    [' \n ', []],
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['Shown by Smith et al. In 2020 it rose.', ['Shown by Smith et al. In 2020 it rose.']],
    ['See Fig. 3 and Eq. 4, e.g. Tab. 5. Next.', ['See Fig. 3 and Eq. 4, e.g. Tab. 5.', 'Next.']],
    ['It fell to 0.82 (p = .03). The rest did not.', ['It fell to 0.82 (p = .03).', 'The rest did not.']],
    ['Worms lived at 20 °C. The dead were counted.', ['Worms lived at 20 °C.', 'The dead were counted.']],
    [
      'In 2020 J. Keim wrote it. In 1944 U.S. Army trucks came.',
      ['In 2020 J. Keim wrote it.', 'In 1944 U.S. Army trucks came.'],
    ],
    ['J. Keim and A. B. Fuchs wrote it. We read it.', ['J. Keim and A. B. Fuchs wrote it.', 'We read it.']],
    [
      'He said “stop.” Then he left (at last.) She did too.',
      ['He said “stop.”', 'Then he left (at last.)', 'She did too.'],
    ],
    ['as shown [12]. [13] disagrees.', ['as shown [12].', '[13] disagrees.']],
    ['Apples, pears, etc. We ate them.', ['Apples, pears, etc.', 'We ate them.']],
    ['1. Results\nThe dose fell.', ['1. Results', 'The dose fell.']],
    ['Table 1. Doses given.\nAs in Table 1. They fell.', ['Table 1. Doses given.', 'As in Table 1.', 'They fell.']],
    ['a long line that\ngoes on here. And\nends.', ['a long line that\ngoes on here.', 'And\nends.']],
    ['A Heading\nThe text begins.\nNew paragraph', ['A Heading', 'The text begins.', 'New paragraph']],
    ['half a line\n\nand after a blank one', ['half a line', 'and after a blank one']],
    ['version 2.3.1 of the tool. ok then', ['version 2.3.1 of the tool. ok then']],
    ['第一句。第二句。', ['第一句。', '第二句。']],
  ])('splitSentences splits %j', (text, expected) => {
    expect(sentences(text)).toEqual(expected)
  })

  it('splitSentences omits only white space and returns no overlaps', () => {
    const text = 'A. B? “C d.” e\n\nF 1.2 g! (H.) i.e. J\n k; l. M [3]. N'.repeat(30)
    const spans = splitSentences(text)
    let before = 0
    for (const { start, end } of spans) {
      expect(start).toBeGreaterThanOrEqual(before)
      expect(text.slice(before, start).trim()).toBe('')
      expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
      before = end
    }
    expect(text.slice(before).trim()).toBe('')
  })
})
