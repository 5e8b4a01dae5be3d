import { expect, it } from 'vitest'
import { raisedText } from './raised-text.ts'

it.each([
  ['a', ' a'],
  ['a,*', ' a,*'],
  ['a, b,†‡,*', ' a, b,†‡,*'],
  ['a**,', ' a**,'],
  ['a,,', 'a,,'],
  ['ab', 'ab'],
])('raisedText recognizes the marks of an affiliation: %j', (raised, expected) => {
  expect(raisedText('Deer', raised)).toBe(expected)
})

it('raisedText reads 10,000 asterisks after a letter in linear time', () => {
  const raised = `a${'*'.repeat(10_000)}x`
  expect(raisedText('Deer', raised)).toBe(raised)
})
