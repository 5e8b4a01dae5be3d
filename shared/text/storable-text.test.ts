import { describe, expect, it } from 'vitest'
import { findUnstorable, storable, storableText } from './storable-text.ts'

describe('storableText', () => {
  it.each([
    ['a\0b', 'ab'],
    ['a\uD800b', 'a\uFFFDb'],
    ['\uDC00', '\uFFFD'],
    ['naïve 🧪 \u202E\t', 'naïve 🧪 \u202E\t'],
  ])('storableText changes %j to %j', (text, kept) => expect(storableText(text)).toBe(kept))
})

it('storable changes every string of a value, including keys, and no other value', () => {
  expect(storable({ 'k\0': ['a\0', 1, null, { deep: '\uD800' }], flag: true })).toEqual({
    k: ['a', 1, null, { deep: '\uFFFD' }],
    flag: true,
  })
})

describe('findUnstorable', () => {
  it.each([
    [{ title: 'fine', keywords: ['a', 'b\0'] }, 'keywords.1'],
    [{ facts: { 'k\0': 1 } }, 'facts'],
    ['\uDFFF', ''],
    [{ title: 'fine', n: 3, none: null }, null],
  ])('findUnstorable of %j returns the path %j', (value, path) => expect(findUnstorable(value)).toBe(path))
})
