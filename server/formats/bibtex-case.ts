import { fieldsOfEntry, type BibtexEntry } from './bibtex-entries.ts'

/** Private-use characters that mark text with protected case. The LaTeX parser does not change them. */
const OPEN = '\uE000'
const CLOSE = '\uE001'
const VERBATIM = /^(?:url|doi|file|eprint|pdf|howpublished|bdsk-.*|x-.*)$|^verb/
const TITLES = /^(?:book|journal|main|short|issue|event)?(?:sub)?title$/

/**
 * The name to which the field `keywords` is renamed for the parser, because the parser would sort and split a field with the
 * name `keywords` by its own rules.
 */
export const KEYWORDS = 'x-keywords'

/**
 * Prepares the text of a BibTeX entry for the parser. In titles, marks the text in braces that protect its case with the
 * characters OPEN and CLOSE inside the braces. Renames `keywords` to KEYWORDS, and escapes characters that most programs write
 * unescaped.
 */
export function prepareEntry(entry: BibtexEntry): string {
  const { raw } = entry
  let text = ''
  let at = 0
  for (const { name, nameStart, start, end } of fieldsOfEntry(entry).fields) {
    if (nameStart >= at && name === 'keywords') {
      text += raw.slice(at, nameStart) + KEYWORDS
      at = nameStart + name.length
    }
    text += raw.slice(at, start) + prepareValue(name, raw.slice(start, end))
    at = end
  }
  return text + raw.slice(at)
}

function prepareValue(name: string, value: string): string {
  if (VERBATIM.test(name)) return value
  // The parser reads '~' as a space, but in a date it means 'uncertain'.
  if (name.endsWith('date')) return value.replaceAll('~', '?')
  const literal = withLiteralCharacters(value)
  return TITLES.test(name) && literal.includes('{') ? protectGroups(literal) : literal
}

const LITERAL: Record<string, string> = { '%': '\\%', '<': '{\\textless}', '>': '{\\textgreater}' }

/**
 * Escapes '%', '<' and '>', which most programs write unescaped. In LaTeX '%' starts a comment, and '<' prints another
 * character. In formulas only '%' is escaped.
 */
function withLiteralCharacters(value: string): string {
  if (!/[%<>]/.test(value)) return value
  let inMath = false
  return value.replaceAll(/\\.|[$%<>]/gs, (char) => {
    if (char === '$') inMath = !inMath
    return inMath && char !== '%' ? char : (LITERAL[char] ?? char)
  })
}

/** Inserts OPEN and CLOSE into each outermost pair of braces that is neither the argument of a command nor in a formula. */
function protectGroups(value: string): string {
  const groups: [start: number, end: number][] = []
  let depth = 0
  let start = -1
  let inMath = false
  for (let at = 0; at < value.length; at++) {
    const char = value[at]
    if (char === '\\') at++
    else if (char === '$') inMath = !inMath
    else if (char === '{' && depth++ === 0) start = at
    else if (char === '}' && --depth === 0 && !inMath && isProtecting(value, start)) groups.push([start, at])
  }
  // Braces around a whole title do not protect words: many programs write them around every title.
  if (groups[0]?.[0] === 0 && groups[0][1] === value.trimEnd().length - 1) return value
  let text = ''
  let at = 0
  for (const [start, end] of groups) {
    text += `${value.slice(at, start + 1)}${OPEN}${value.slice(start + 1, end)}${CLOSE}`
    at = end
  }
  return text + value.slice(at)
}

const isProtecting = (value: string, start: number) =>
  !value.startsWith('{\\', start) &&
  !/\\(?:[A-Za-z]+\s*|.)(?:\{[^{}]*\})*$/.test(value.slice(Math.max(0, start - 60), start))

/**
 * Replaces OPEN and CLOSE, the characters with which `prepareEntry` marks text with protected case, by the CSL markup for such
 * text.
 */
export const toNoCase = (value: string) =>
  value.includes(OPEN) ? value.replaceAll(OPEN, '<span class="nocase">').replaceAll(CLOSE, '</span>') : value
