import { expect, it } from 'vitest'
import { xmlText } from './xml-text.ts'

it.each([
  ['Sleep & Naps <1>', 'Sleep & Naps <1>'],
  ['a\u0001b\u0008c\u007F', 'abc\u007F'],
  ['half \uD800 a pair, \uFFFE none', 'half  a pair,  none'],
  ['𝄞 üb\ter\nlines', '𝄞 üb\ter\nlines'],
])('xmlText removes invalid characters from %j', (given, text) => expect(xmlText(given)).toBe(text))
