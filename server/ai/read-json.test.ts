import { describe, expect, it } from 'vitest'
import { readJsonObject } from './read-json.ts'

describe('readJsonObject', () => {
  it.each([
    ['plain', '{"a": 1}', { a: 1 }],
    ['in a fence with words around it', 'Sure:\n```json\n{"a": {"b": "}"}}\n```\nDone.', { a: { b: '}' } }],
    ['with trailing commas, but not those inside strings', '{"a": ["x,]", "y",\n], }', { a: ['x,]', 'y'] }],
    ['with a raw line break and tab in a string', '{"a": "one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }],
    [
      'with LaTeX in a string',
      '{"a": "\\alpha and \\\\beta, \\"quoted\\", \\u00e9"}',
      { a: '\\alpha and \\beta, "quoted", é' },
    ],
  ])('readJsonObject finds an object: %s', (_what, reply, object) => expect(readJsonObject(reply)).toEqual(object))

  it.each(['', 'No.', '[1, 2]', '{"a": "cut sho', '{"a": {"b": 1}', '} {', 'null'])(
    'readJsonObject finds no object in %j',
    (reply) => expect(readJsonObject(reply)).toBeNull(),
  )
})
