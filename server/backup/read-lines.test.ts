import { expect, it } from 'vitest'
import { readLines } from './read-lines.ts'

async function* inPieces(text: string, length: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line)
  return found
}

it.each([1, 3, 1000])('readLines splits only at line feeds, in chunks of %i bytes', async (length) => {
  const lines = ['{"a":"x\u2028y\u2029z\u0085\r"}', '', '{"b":"ü𝄞"}']
  expect(await all(readLines(inPieces(`${lines.join('\n')}\n`, length)))).toEqual(lines)
  expect(await all(readLines(inPieces(lines.join('\n'), length)))).toEqual(lines)
})

it('readLines refuses a line that is too long', async () => {
  await expect(all(readLines(inPieces('x'.repeat(101), 10), 100))).rejects.toThrow('too long')
  expect(await all(readLines(inPieces(`${'x'.repeat(99)}\ny`, 10), 100))).toHaveLength(2)
})
