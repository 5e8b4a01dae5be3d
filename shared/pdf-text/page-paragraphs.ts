import type { JoinsWithoutSpace } from './east-asian-lines.ts'
import type { Line } from './page-lines.ts'

/** Returns true if a word that is broken at a line end into `head` and `tail` keeps its hyphen. */
export type KeepsHyphen = (head: string, tail: string) => boolean

const HYPHEN = /(\p{L}{2,})[-\u2010]$/u
const SENTENCE_END = /[.!?:。！？][)\]"'”’]*(?:\[?\d{1,3}\]?|\p{No}[\p{No}⁻–,;]*)?$/u
const STARTS_ANEW = /^["“‘(]?[\p{Lu}\d]/u
const LIST_MARK = /^(?:\[\d{1,3}\]|\d{1,3}[.)] \p{Lu}|[•▪◦‣∙–] )/u

/**
 * COUNTED matches first parts of compounds that have a hyphen before almost any word ("two-sided", "self-reported").
 * WORD_ENDING matches the endings before which they have no hyphen ("twofold").
 */
const COUNTED = /^(?:two|three|four|five|six|seven|eight|nine|well|self)$/
const WORD_ENDING = /^(?:fold|ness|some|ish|teen|ty|th|pence)/

/**
 * Learns from all lines of a document which compounds have a hyphen. At a line end, a word that also occurs unbroken loses the
 * hyphen, and a compound that also occurs with a hyphen within a line keeps it. In other cases, the hyphen is kept if both
 * parts have at least four letters and each occurs at least twice as a word.
 */
export function learnHyphens(lines: readonly Line[]): KeepsHyphen {
  const words = new Map<string, number>()
  const compounds = new Set<string>()
  for (const line of lines) {
    const text = line.text.replace(HYPHEN, '').toLowerCase()
    for (const word of text.match(/\p{L}+(?:[-\u2010]\p{L}+)*/gu) ?? []) {
      const parts = word.split(/[-\u2010]/)
      for (const part of parts) words.set(part, (words.get(part) ?? 0) + 1)
      for (let index = 1; index < parts.length; index++) compounds.add(`${parts[index - 1]}-${parts[index]}`)
    }
  }
  return (head, tail) => {
    const a = head.toLowerCase()
    const b = tail.toLowerCase()
    if (words.has(a + b)) return false
    if (COUNTED.test(a) && !WORD_ENDING.test(b)) return true
    if (compounds.has(`${a}-${b}`)) return true
    return a.length > 3 && b.length > 3 && (words.get(a) ?? 0) > 1 && (words.get(b) ?? 0) > 1
  }
}

/**
 * Returns the median distance between the baselines of consecutive lines on all pages, as a multiple of the font size; 1.2 if
 * there are no such lines.
 */
export function usualLeading(pages: readonly (readonly Line[])[]): number {
  const leadings: number[] = []
  for (const lines of pages) {
    for (let index = 1; index < lines.length; index++) {
      const a = lines[index - 1]!
      const b = lines[index]!
      const leading = (a.y - b.y) / b.size
      if (Math.abs(a.size - b.size) < 0.5 && leading > 0.8 && leading < 2.6) leadings.push(leading)
    }
  }
  return leadings.sort((a, b) => a - b)[Math.floor(leadings.length / 2)] ?? 1.2
}

/** Functions that decide how two lines of a document are joined: with or without a hyphen, and without a space. */
export interface Joins {
  keepsHyphen: KeepsHyphen
  joinsWithoutSpace: JoinsWithoutSpace
}

/**
 * Joins the lines of one page to its text. `leading` is the usual distance between lines (see `usualLeading`). The lines of a
 * paragraph are joined by spaces, except after a hyphen and where `joins` excludes a space. A line break separates paragraphs.
 * An empty line separates blocks (headings, captions, larger distances).
 */
export function joinLines(lines: readonly Line[], joins: Joins, leading: number): string {
  let text = ''
  let paragraph = ''
  let inParagraph = 0 // lines in the current paragraph
  lines.forEach((line, index) => {
    const separator = index === 0 ? '' : breakBetween(lines, index, inParagraph, leading)
    if (index > 0 && separator === '') {
      paragraph = joinWords(paragraph, lines[index - 1]!, line.text, joins)
      inParagraph++
      return
    }
    text += paragraph + separator
    paragraph = line.text
    inParagraph = 1
  })
  return text + paragraph
}

/** Maximum length, in characters, of a word that is broken at a line end. */
const LONGEST_WORD = 40
/** Number of characters before a line end that are examined. They can contain a long web address. */
const TAIL = 200

function joinWords(text: string, before: Line, next: string, { keepsHyphen, joinsWithoutSpace }: Joins): string {
  const last = text.slice(-TAIL)
  if (joinsWithoutSpace(last, before.endsInSpace, next)) return text + next
  const head = HYPHEN.exec(last)
  const tail = /^\p{Ll}+/u.exec(next)
  if (head && tail) return (keepsHyphen(head[1]!, tail[0]) ? text : text.slice(0, -1)) + next
  // A real hyphen, dash or slash at the line end (a capital or a digit follows), or a broken web address.
  if (/[\p{L}\d][-\u2010\u2013/]$/u.test(last) && /^[\p{L}\d]/u.test(next)) return text + next
  if (/[./_]$/.test(last) && /(?:https?:\/\/|\b10\.\d{4,}\/)\S*$/.test(last) && /^[\da-z]/.test(next))
    return text + next
  return `${text} ${next}`
}

/**
 * Returns the separator between a line and the line before it: '' inside a paragraph, '\n' between paragraphs, '\n\n' between
 * blocks.
 */
function breakBetween(lines: readonly Line[], index: number, inParagraph: number, leading: number): string {
  const before = lines[index - 1]!
  const line = lines[index]!
  const size = Math.max(before.size, line.size)
  const fall = before.y - line.y
  const beside = line.x - before.x2
  // A superscript apart from its text (the number of an affiliation or a footnote).
  if (before.text.length <= 3 && Math.abs(fall) < 0.8 * size && beside > -size && beside < 3 * size) return ''
  if (Math.abs(line.size - before.size) > Math.max(1, 0.1 * size) && before.text.length > 3) return '\n\n'
  const end = before.text.slice(-LONGEST_WORD)
  const brokenWord = HYPHEN.test(end) && /^\p{Ll}/u.test(line.text)
  if (fall < -0.5 * size || Math.min(before.x2, line.x2) < Math.max(before.x, line.x)) {
    // The next column or text beside the line. A sentence may continue there.
    if (brokenWord) return ''
    return SENTENCE_END.test(end) || !/^[\p{Ll}\d(]/u.test(line.text) ? '\n\n' : ''
  }
  if (fall > (leading + 0.4) * size) return '\n\n'
  if (line.gaps > 1 || before.gaps > 1 || (line.gaps > 0 && before.gaps > 0)) return '\n'
  if (brokenWord) return ''
  const short = before.x2 < rightEdge(lines, index - 1) - 3 * size
  if (short && isHeading(before) && line.font !== before.font && STARTS_ANEW.test(line.text)) return '\n'
  const shift = line.x - before.x
  const ended = SENTENCE_END.test(end)
  if (LIST_MARK.test(line.text) && (ended || short || shift < -0.7 * size)) return '\n'
  const indented = shift > 0.7 * size && !(inParagraph === 1 && hangs(lines, index))
  const goesOn = /^\p{Ll}/u.test(line.text)
  if (ended && !goesOn && (short || indented || fall > (leading + 0.2) * size)) return '\n'
  // Hanging indent: a line at the left edge after indented lines begins the next entry.
  if (shift < -0.7 * size && inParagraph > 1 && (ended || short)) return '\n'
  return ''
}

/** Returns whether an indented line is the second line of an entry with a hanging indent, as in a list of references. */
function hangs(lines: readonly Line[], index: number): boolean {
  const next = lines[index + 1]
  const line = lines[index]!
  return LIST_MARK.test(lines[index - 1]!.text) || (next !== undefined && Math.abs(next.x - line.x) < 0.3 * line.size)
}

/** Returns true for a line in a single font that looks like a heading, such as a bold line in the size of the text. */
const isHeading = (line: Line) => line.font !== '' && STARTS_ANEW.test(line.text) && !/[,;]$/.test(line.text)

/**
 * Returns the position of the right edge of the column at a line: the rightmost edge of nearby lines that overlap with the line
 * horizontally.
 */
function rightEdge(lines: readonly Line[], index: number): number {
  const line = lines[index]!
  let edge = line.x2
  for (let near = Math.max(0, index - 6); near < Math.min(lines.length, index + 7); near++) {
    const other = lines[near]!
    if (other.x < line.x2 && other.x2 > line.x) edge = Math.max(edge, other.x2)
  }
  return edge
}
