import { StringDecoder } from 'node:string_decoder'
import { AppError } from '#server/lib/errors.ts'

/**
 * Maximum length of a line, in characters. A line of a backup has a few megabytes. A longer line is probably an attack, and
 * does not fit into memory.
 */
const LONGEST_LINE = 250_000_000

/**
 * Yields the lines of a file. Splits it only at line feeds, because JSON may contain other line separators (U+2028 is common in
 * papers). Throws 'refused' at a line with more than `longest` characters.
 */
export async function* readLines(source: AsyncIterable<Buffer>, longest = LONGEST_LINE): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let size = 0
  for await (const chunk of source) {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    parts.push(first)
    size += first.length
    if (size > longest) throw new AppError('refused', 'The backup contains a line that is too long.')
    for (const other of others) {
      yield parts.join('')
      parts = [other]
      size = other.length
    }
  }
  const last = parts.join('') + decoder.end()
  if (last !== '') yield last
}
