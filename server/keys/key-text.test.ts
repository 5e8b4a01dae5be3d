import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { scrub } from '#server/lib/describe-error.ts'
import { hashKey, keyIn, newKeyText, prefixOf } from './key-text.ts'

it('A new key has the form that secret scanners search by the patterns in docs/security.md', () => {
  const { key, prefix } = newKeyText()
  expect(key).toMatch(/^lct_[0-9A-Za-z]{8}_[\w-]{43}[0-9A-Za-z]{6}$/)
  expect(key.startsWith(`${prefix}_`)).toBe(true)
  expect(prefixOf(key)).toBe(prefix)
  expect(newKeyText().key).not.toBe(key)
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const patterns = [...page.matchAll(/(?:\\+b)?(lct_\[\S+?\{6\})/g)].map(
    ([, pattern]) => new RegExp(`\\b${pattern}\\b`),
  )
  expect(patterns).toHaveLength(4)
  for (const pattern of patterns)
    expect([pattern.exec(`{"key":"${key}"}`)?.[0], pattern.test(`${prefix}…`)]).toEqual([key, false])
  expect(hashKey(key)).toMatch(/^[0-9a-f]{64}$/)
})

it.each([
  ['another character', (key: string) => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21)],
  ['another checksum', (key: string) => key.slice(0, -1) + (key.at(-1) === '0' ? '1' : '0')],
  ['a missing character', (key: string) => key.slice(0, -1)],
  ['a longer text', (key: string) => `${key}0`],
  ['another start', (key: string) => key.replace('lct_', 'lcs_')],
])('A key with %s is not valid', (_, change) => {
  expect(prefixOf(change(newKeyText().key))).toBeNull()
})

it('The key is read from the Authorization header only', () => {
  const { key } = newKeyText()
  expect(keyIn(new Headers({ authorization: `bearer ${key}` }))).toBe(key)
  expect(keyIn(new Headers({ authorization: 'Bearer lct_short' }))).toBe('lct_short')
  for (const headers of [{}, { authorization: 'Bearer session' }, { cookie: `x=${key}` }, { authorization: key }])
    expect(keyIn(new Headers(headers as Record<string, string>))).toBeNull()
})

it('The log removes keys (KEY-03)', () => {
  const { key, prefix } = newKeyText()
  expect(scrub(`{"text":"the key ${key} was found"}`)).toBe('{"text":"the key lct_[secret] was found"}')
  // The prefix alone is shown on screens and is no secret.
  expect(scrub(`{"text":"${prefix}"}`)).toContain(prefix)
})
