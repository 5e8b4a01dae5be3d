import { describe, expect, it } from 'vitest'
import { isIntricate } from './intricate-json.ts'

const judged = (json: string) => isIntricate(new TextEncoder().encode(json))

describe('isIntricate', () => {
  it('isIntricate accepts long texts and long lists, whatever the texts contain', () => {
    expect(judged(JSON.stringify({ text: '[{,'.repeat(500_000) }))).toBe(false)
    expect(judged(JSON.stringify({ text: '"\\"[],'.repeat(200_000) }))).toBe(false)
    expect(judged(JSON.stringify({ a: '\\', b: [1, 2, { c: '\\"[' }] }))).toBe(false)
    expect(judged(JSON.stringify({ chunks: Array.from({ length: 50_000 }, () => ({ a: 'x', b: 1, c: 2 })) }))).toBe(
      false,
    )
  })
  it('isIntricate detects very many parts and deep nesting', () => {
    expect(judged(`{"a":[${'[],'.repeat(400_000)}1]}`)).toBe(true)
    expect(judged(`{${'"a":1,'.repeat(400_000)}"b":1}`)).toBe(true)
    expect(judged(`{"a":"\\\\","b":${'['.repeat(100)}${']'.repeat(100)}}`)).toBe(true)
  })
  it('isIntricate accepts invalid JSON, which the parser refuses', () => {
    for (const text of ['', '"', '"\\', ']]]]', 'x', '"\\"']) expect(judged(text)).toBe(false)
  })
})
