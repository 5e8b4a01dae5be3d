import { expect, it } from 'vitest'
import { compareTexts } from './compare-texts.ts'

const PROSE =
  '[Page 1]\n' + 'The birds of the island were seen in the morning and in the evening of that day. '.repeat(10)
const GARBLED =
  '[Page 1]\n' + 'Xqf zvmke gw lqf vkhoxpe nfmf kffp vp lqf rgmpvpu xpe vp lqf fifpvpu gw lqxl exb. '.repeat(10)

it.each([
  ['the same text', PROSE, PROSE, false],
  ['a text with half of the words', PROSE.slice(0, PROSE.length / 2), PROSE, true],
  ['a text with a few words less', PROSE.slice(0, -30), PROSE, false],
  ['a garbled text instead of a readable one', GARBLED, PROSE, true],
  ['a shorter readable text instead of a garbled one', PROSE.slice(0, PROSE.length * 0.7), GARBLED, false],
  ['a text with other line ends', PROSE.replaceAll('. ', '.\n\n'), PROSE, false],
])('compareTexts judges %s', (_what, text, current, isPoorer) => {
  expect(compareTexts(text, current).isPoorer).toBe(isPoorer)
})

it('compareTexts counts letters and digits without page markers', () => {
  expect(compareTexts('[Page 1]\nA b 12', '[Page 1]\n')).toMatchObject({ letters: 4, currentLetters: 0 })
})
