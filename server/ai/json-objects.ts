import { readJsonObject } from './read-json.ts'

/** Longer objects are skipped. A sentence with its quotes is shorter. */
const LONGEST_OBJECT = 50_000

/**
 * Returns a function that receives a streamed text and returns the JSON objects that each piece completes. Other text between
 * them, such as fences, commas and the brackets of an array, is skipped. Of an object with a list of objects, the list is returned.
 */
export function createObjectReader(): (piece: string) => Record<string, unknown>[] {
  let text = ''
  let depth = 0
  let start = -1
  let at = 0
  let inString = false
  return (piece) => {
    text += piece
    const found: Record<string, unknown>[] = []
    for (; at < text.length; at++) {
      const char = text[at]!
      if (inString) {
        if (char === '\\') {
          // The next character may be in the next piece.
          if (at + 1 >= text.length) break
          at++
        } else if (char === '"') inString = false
      } else if (char === '"' && depth > 0) inString = true
      else if (char === '{') {
        if (depth === 0) start = at
        depth++
      } else if (char === '}' && depth > 0) {
        depth--
        if (depth > 0) continue
        found.push(...objectsOf(text.slice(start, at + 1)))
      }
    }
    if (depth === 0 || at - start > LONGEST_OBJECT) {
      text = text.slice(at)
      at = 0
      depth = 0
      inString = false
    }
    return found
  }
}

function objectsOf(text: string): Record<string, unknown>[] {
  const object = readJsonObject(text)
  if (object === null) return []
  const list = Object.values(object).find(
    (value): value is Record<string, unknown>[] =>
      Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null),
  )
  return 'text' in object || !list ? [object] : list
}
