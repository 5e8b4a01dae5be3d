import { describe, expect, it } from 'vitest'
import { parseBody } from './parse-body.ts'

const parse = (json: string) => parseBody(new TextEncoder().encode(json))
const tooComplex = expect.objectContaining({ code: 'refused' }) as Error

describe('parseBody', () => {
  it('parseBody returns long texts and the longest list of passages', () => {
    const text = { text: '"\\"[{,'.repeat(200_000) }
    expect(parse(JSON.stringify(text))).toEqual(text)
    const chunks = Array.from({ length: 50_000 }, () => ({ a: 'x', b: 1, c: 2 }))
    expect(parse(JSON.stringify({ chunks }))).toEqual({ chunks })
  })

  it.each([
    ['many values in a list', `[${'[],'.repeat(400_000)}1]`],
    ['many fields', `{${Array.from({ length: 400_000 }, (_, n) => `"${n}":1`).join()}}`],
    ['many levels', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ])('parseBody refuses %s', (_what, json) => {
    expect(() => parse(json)).toThrow(tooComplex)
  })

  it('parseBody throws a SyntaxError for bytes that are not JSON', () => {
    for (const text of ['', '"', ']]]]', '{"a":']) expect(() => parse(text)).toThrow(SyntaxError)
  })
})
