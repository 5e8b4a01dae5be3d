import { StringDecoder } from 'node:string_decoder'
import { AppError } from '#server/lib/errors.ts'

/** A row is some megabytes at the most; more than this is no line that was written here, and would not fit into memory. */
const LONGEST_LINE = 250_000_000

/**
 * The lines of a file, split at line feeds alone: JSON holds other characters that end a line elsewhere (U+2028 stands in many
 * papers). Throws a `refused` at a line without end.
 */
export async function* readLines(source: AsyncIterable<Buffer>, longest = LONGEST_LINE): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let size = 0
  for await (const chunk of source) {
    const [first = '', ...others] = decoder.write(chunk).split('\n')
    parts.push(first)
    size += first.length
    if (size > longest) throw new AppError('refused', 'The backup holds a line that is too long.')
    for (const other of others) {
      yield parts.join('')
      parts = [other]
      size = other.length
    }
  }
  const last = parts.join('') + decoder.end()
  if (last !== '') yield last
}
