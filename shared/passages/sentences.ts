/** A range of a text in UTF-16 offsets; `end` is exclusive. */
export interface Span {
  start: number
  end: number
}

/** Abbreviations in papers, in lower case. Their full stop does not end a sentence. */
const ABBREVIATIONS = new Set(
  (
    'al approx cf ch chap col dept dr ed eds e.g eg eq eqs equ esp et etc ex fig figs i.e ie incl inc jr lemma max min mr mrs ms mt ' +
    'no nos nr op p pp par ph.d phd prof ref refs resp sec sect secs sr st suppl tab tabs thm viz vol vols vs var spp sp subsp a.m p.m'
  ).split(' '),
)
/** Abbreviations whose full stop ends a sentence if a capital follows. */
const MAY_END = new Set(['etc', 'inc', 'a.m', 'p.m', 'jr', 'sr'])

/**
 * Matches a possible end of a sentence: a stop, closing quotes and brackets (or a citation mark as in 'shown.¹²'), white space,
 * and the first character of the next sentence.
 */
const STOP = /([.!?]|[.!?]\p{No}+|\p{sc=Han}?[。！？])(["'”’»)\]]*)(\s+|(?<=[。！？]))(?=(["'“‘«([¿¡•–-]*)(\S))/gu
const NEW_LINE = /\n+/g

/**
 * Returns the sentences of a text in order, without surrounding white space. A sentence ends at a stop (full stop, question
 * mark or exclamation mark) before the start of another sentence, at a blank line, and at a line break unless the next line
 * begins with a lower-case word. The full stop of an abbreviation, an initial or a list number does not end a sentence.
 * Headings and table cells are separate ranges.
 */
export function splitSentences(text: string): Span[] {
  const cuts = new Set<number>()
  for (const found of text.matchAll(STOP)) {
    const stop = found.index + found[1]!.length
    if (isEnd(text, found.index, found[1]!, found[5]!)) cuts.add(stop + found[2]!.length)
  }
  for (const found of text.matchAll(NEW_LINE)) {
    const next = text.slice(found.index + found[0].length, found.index + found[0].length + 40).trimStart()
    const before = text.slice(Math.max(0, found.index - 2), found.index).trimEnd()
    if (found[0].length > 1 || !(/^\p{Ll}/u.test(next) && !/[.!?]$/.test(before))) cuts.add(found.index)
  }
  const spans: Span[] = []
  let start = 0
  for (const cut of [...cuts, text.length].sort((a, b) => a - b)) {
    const piece = text.slice(start, cut)
    const trimmed = piece.trim()
    const from = start + piece.indexOf(trimmed)
    if (trimmed) spans.push({ start: from, end: from + trimmed.length })
    start = cut
  }
  return spans
}

const LABEL = /(?:^|\n)\s*(?:Figure|Fig\.|Table|Box|Listing|Algorithm|Appendix|Step)\s*$/

/**
 * Returns whether the stop at the offset `at` ends a sentence. `stop` is the matched stop, `next` the first character after it.
 */
function isEnd(text: string, at: number, stop: string, next: string): boolean {
  if (!stop.startsWith('.')) return true
  if (/\p{Ll}/u.test(next)) return false
  const word = /[\p{L}\p{N}.'’-]*$/u.exec(text.slice(Math.max(0, at - 24), at))![0].replace(/^[.'’-]+/, '')
  const lower = word.toLowerCase()
  if (ABBREVIATIONS.has(lower)) return MAY_END.has(lower) && /\p{Lu}/u.test(next)
  // An initial, as in "J. Keim" or "U.S. Army"; "Appendix B. We" ends a sentence only before a whole word.
  // A letter after a degree sign is a unit: "at 20 °C. The".
  if (/^(\p{Lu}|(\p{Lu}\.)+\p{Lu})$/u.test(word)) return text.charAt(at - word.length - 1) === '°'
  // "3. Results" and "Table 1. Doses" at the beginning of a line are labels, not sentences.
  if (/^\d{1,2}$/.test(word)) {
    const before = text.slice(Math.max(0, at - word.length - 16), at - word.length)
    if (before === '' || /[\n•]\s*$/.test(before) || LABEL.test(before)) return false
  }
  return true
}
