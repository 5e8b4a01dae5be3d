import { readJsonObject } from './read-json.ts'

/** Maximum length of an object, in characters. Longer objects are skipped. A sentence with its quotes is shorter. */
const LONGEST_OBJECT = 50_000
const KEY = /"((?:[^"\\]|\\.)*)"\s*:\s*$/

/**
 * A brace or bracket that has not been closed. `key` is the property name of a list, and '' for an object or for a list without
 * a name.
 */
interface Open {
  kind: '{' | '['
  start: number
  key: string
}

/**
 * Returns a function that finds JSON objects in a streamed text. The function receives the next piece of the text and returns
 * the objects that this piece completes. It skips other text, such as fences, commas and the brackets of an array. If an object
 * without the property `text` contains a list of objects, as in `{"sentences": [{"text": …}]}`, returns the objects of the list
 * instead. Objects of the list with the property `text` are returned as soon as each is complete, others when the containing
 * object is complete.
 */
export function createObjectReader(): (piece: string) => Record<string, unknown>[] {
  let text = ''
  let open: Open[] = []
  let at = 0
  let inString = false
  /** True if objects of a list in the current outermost object have been returned. */
  let isRead = false
  const reset = () => {
    text = text.slice(at)
    at = 0
    open = []
    inString = false
    isRead = false
  }
  const close = (): Record<string, unknown>[] => {
    const { start } = open.pop()!
    const whole = open.length === 0
    if (whole && isRead) {
      isRead = false
      return []
    }
    if (whole) return objectsOf(text.slice(start, at + 1))
    if (open.at(-1)!.kind !== '[' || open.some(({ key }) => key === 'quotes')) return []
    const object = readJsonObject(text.slice(start, at + 1))
    // An object with `passage` is a quote of a sentence, not a sentence.
    if (object === null || !('text' in object) || 'passage' in object) return []
    isRead = true
    return [object]
  }
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
      } else if (char === '"' && open.length > 0) inString = true
      else if (char === '{' || (char === '[' && open.length > 0)) {
        const key = char === '[' ? (KEY.exec(text.slice(Math.max(0, at - 100), at))?.[1] ?? '') : ''
        open.push({ kind: char, start: at, key })
      } else if (char === '}' && open.at(-1)?.kind === '{') found.push(...close())
      else if (char === ']' && open.at(-1)?.kind === '[') open.pop()
    }
    const last = open.findLast(({ kind }) => kind === '{')
    if (!last || at - last.start > LONGEST_OBJECT) reset()
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
