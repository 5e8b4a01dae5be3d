/** One `@type{…}` of a BibTeX file. `line` counts from 1. `error` is set if the closing bracket is missing. */
export interface BibtexEntry {
  type: string
  raw: string
  line: number
  /** The offset of the text after the opening bracket, in `raw`. */
  bodyStart: number
  error?: { line: number; what: string }
}

const START = /(?<![\w.\\@])@\s{0,5}([A-Za-z][\w+.:-]{0,60})\s{0,40}([{(])/g
/**
 * Matches the start of an entry at the start of a line. A match inside another entry means that the closing bracket of the
 * other entry is missing.
 */
const NEXT_START = /^[ \t]{0,8}@[A-Za-z]\w{0,40}[ \t]{0,8}[{(][^\s,{}()"=]{0,200}[ \t]*,[ \t]*$/gm
const BRACKETS = /[{}()"\\]/g

/** Splits a file into its entries, `@string`, `@preamble` and `@comment`. Other text is a comment in BibTeX and is skipped. */
export function* bibtexEntries(text: string): Generator<BibtexEntry> {
  const lineAt = lineCounter(text)
  START.lastIndex = 0
  for (let found = START.exec(text); found; found = START.exec(text)) {
    const [opening, type = '', bracket] = found
    const start = found.index
    const bodyStart = start + opening.length
    const line = lineAt(start)
    let end = closingBracket(text, bodyStart, bracket === '(' ? ')' : '}')
    let error: BibtexEntry['error']
    if (end === -1 || !/^comment$/i.test(type)) {
      const next = nextStart(text, bodyStart, end === -1 ? text.length : end)
      if (next !== -1 || end === -1) {
        end = (next === -1 ? text.length : next) - 1
        error = { line, what: bracket === '(' ? 'no closing parenthesis' : 'no closing brace' }
      }
    }
    yield {
      type: type.toLowerCase(),
      raw: text.slice(start, end + 1),
      line,
      bodyStart: bodyStart - start,
      ...(error && { error }),
    }
    START.lastIndex = Math.max(end + 1, bodyStart)
  }
}

/** Returns a function that returns the line number (from 1) of an offset. The offsets must increase from call to call. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let at = 0
  return (offset) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < offset; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    return line
  }
}

/** Returns the offset of the bracket that closes an entry, or -1. Braces nest; a parenthesis closes outside braces only. */
function closingBracket(text: string, from: number, closing: string): number {
  let depth = 0
  BRACKETS.lastIndex = from
  for (let found = BRACKETS.exec(text); found; found = BRACKETS.exec(text)) {
    const [bracket] = found
    if (depth === 0 && bracket === closing) return found.index
    if (bracket === '\\') BRACKETS.lastIndex = found.index + 2
    else if (bracket === '{') depth++
    else if (bracket === '}') depth--
    if (depth < 0) return -1
  }
  return -1
}

function nextStart(text: string, from: number, until: number): number {
  NEXT_START.lastIndex = from
  const found = NEXT_START.exec(until === text.length ? text : text.slice(0, until))
  return found ? found.index : -1
}

/** One field of an entry: its name in lower case, and the offsets of its value without the delimiters. */
export interface BibtexField {
  name: string
  nameStart: number
  start: number
  end: number
}

/**
 * Finds the key and the fields of an entry without interpreting LaTeX. Each part of a joined value (`a # b`) is returned as a
 * separate field with the same name.
 */
export function fieldsOfEntry({ raw, bodyStart }: BibtexEntry): { key: string; fields: BibtexField[] } {
  const keyEnd = raw.slice(bodyStart).search(/[,=})]/) + bodyStart
  const hasKey = keyEnd >= bodyStart && raw[keyEnd] !== '='
  const key = hasKey ? raw.slice(bodyStart, keyEnd).trim() : ''
  const fields: BibtexField[] = []
  // Begins only at the start of a word. Otherwise a long word without '=' would take a time that grows with its square.
  const NAME = /(?<![\w+.:-])[\d_+.:-]*([A-Za-z][\w+.:-]*)\s*=\s*/g
  NAME.lastIndex = hasKey ? keyEnd : bodyStart
  for (let found = NAME.exec(raw); found; found = NAME.exec(raw)) {
    let at = found.index + found[0].length
    for (;;) {
      const part = valuePart(raw, at)
      fields.push({ name: found[1]!.toLowerCase(), nameStart: found.index, start: part.start, end: part.end })
      const joined = /^\s*#\s*/.exec(raw.slice(part.next, part.next + 40))
      at = part.next
      if (!joined) break
      at += joined[0].length
    }
    NAME.lastIndex = at
  }
  return { key, fields }
}

function valuePart(raw: string, at: number): { start: number; end: number; next: number } {
  if (raw[at] !== '{' && raw[at] !== '"') {
    const length = /^[^,\s#})]*/.exec(raw.slice(at, at + 300))![0].length
    return { start: at, end: at + length, next: at + length }
  }
  const closing = raw[at] === '{' ? '}' : '"'
  const end = closingBracket(raw, at + 1, closing)
  return end === -1 ? { start: at + 1, end: raw.length, next: raw.length } : { start: at + 1, end, next: end + 1 }
}
