import { expect, it } from 'vitest'
import { expressionOf } from './phrase-expression.ts'

it.each([
  ['a phrase', 'word pairs', '\\mword[^[:alnum:]]+pairs\\M'],
  ['a phrase with composed accents', 'na\u00EFve Bayes', '\\mna\u00EFve[^[:alnum:]]+Bayes\\M'],
  ['a phrase with accents of their own', 'nai\u0308ve Bayes', '\\mna\u00EFve[^[:alnum:]]+Bayes\\M'],
  ['a phrase in Chinese', '\u60A3\u8005', '\u60A3\u8005'],
])('The expression of %s finds it in a stored text', (_, phrase, expression) => {
  expect(expressionOf(phrase)).toBe(expression)
})
