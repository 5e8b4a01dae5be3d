import { splitWithCaptions } from './captions.ts'
import type { Paragraph } from './paragraphs.ts'

/** A sentence of the paper. */
export interface Sentence {
  text: string
  page: number
}

const FEWEST_WORDS = 6
const MOST_WORDS = 70
/** Matches words of legal notices and addresses that are printed within the text. */
const NOTICE =
  /creative commons|all rights reserved|permission to make|copyright|\blicen[sc]e\b|correspond(?:ing author|ence)|how to cite|competing interests?|conflicts? of interest|this article is (?:published|distributed)|publisher[’']s note|doi\.org|@|reprint|unrestricted use|supplementary (?:material|information|file)|institutional review board|data (?:are|is) available|(?:was|were) (?:funded|supported) by|et al\.?,? \(?\d{4}\)?\. /i
const CAPTION =
  /^(?:fig(?:ure|\.)?|table|tab\.|algorithm|listing|box|scheme|appendix|note|notes|legend|abbreviations)\s*(?:[A-Z]?\d|[:.])/i
/** Matches the beginning of a paragraph that has no sentences of the running text, such as 'Algorithm 1' or 'Note:'. */
const OTHER_CAPTION = /^(?:algorithm|listing|appendix|note|notes|legend|abbreviations)\s*(?:[A-Z]?\d|[:.])/i

/** Returns the readable, complete sentences of a paragraph. Excludes captions, notices, author lists and table fragments. */
export function readSentences(paragraph: Paragraph): Sentence[] {
  if (paragraph.text.length < 30 || OTHER_CAPTION.test(paragraph.text) || isReference(paragraph.text)) return []
  const text = paragraph.text.replace(/^[•▪∙*–-]\s+/u, '')
  return (
    splitWithCaptions(text)
      .filter(({ isCaption }) => !isCaption)
      // The number of a list item is not part of its sentence.
      .map(({ start, end }) =>
        text
          .slice(start, end)
          .trim()
          .replace(/^\d{1,2}[.)]\s+(?=\p{Lu}\p{Ll})/u, ''),
      )
      .filter(isReadable)
      .map((sentence) => ({ text: sentence, page: paragraph.page }))
  )
}

/** Returns whether a sentence is complete and understandable without the text around it. */
export function isReadable(sentence: string): boolean {
  const words = sentence.split(' ')
  if (words.length < FEWEST_WORDS || words.length > MOST_WORDS || sentence.length > 700) return false
  if (!/[.!?…][”"’')\]]*(?:\d{1,3}(?:[,–-]\d{1,3})*|\p{No}[\p{No},–]*)?$/u.test(sentence)) return false
  if (!/^[“"‘'(]?[\p{Lu}\d]/u.test(sentence) || (/^\d+$/.test(words[0]!) && words.length < 8)) return false
  // A scanned heading joined with the sentence: '3.2 Primary outcome Sleep …'.
  if (/^\d{1,2}(?:\.\d{1,2}){1,3}\.? \p{Lu}|^\d{1,2}\.? \p{Lu}{4}/u.test(sentence)) return false
  if (NOTICE.test(sentence) || CAPTION.test(sentence)) return false
  const address = sentence.match(/(?:https?:\/\/|www\.)\S+/g)?.join('') ?? ''
  if (address.length > sentence.length * 0.3) return false
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0
  const digits = sentence.match(/\p{N}/gu)?.length ?? 0
  const solid = sentence.length - words.length + 1
  if (letters < solid * 0.65 || digits > solid * 0.18) return false
  // Author lists and tables consist of names and cells: few words are in lower case.
  const lower = words.filter((word) => /^[(“"‘']?\p{Ll}/u.test(word)).length
  if (/\p{Ll}/u.test(sentence) && lower < words.length * 0.4) return false
  return isBalanced(sentence) && !/[∑∈∀∃⟨⟩=∼]{2}|[\u{1D400}-\u{1D7FF}]{2}|\uFFFD/u.test(sentence)
}

/** Matches the beginning of a reference: 'Bee A, van Dee C (2012).' */
const AUTHOR_AND_YEAR =
  /^(?:\p{Ll}{2,4} )?\p{Lu}[\p{L}’'-]+,? \p{Lu}{1,3}(?:[.,&]| and|(?= \())[^.()]{0,200}\((?:19|20)\d\d[a-z]?\)[.,]/u

/** Returns whether a paragraph is an entry of a list of references. */
export function isReference(paragraph: string): boolean {
  const head = paragraph.slice(0, 400)
  if (/^\[\d{1,3}\]\s+\p{Lu}/u.test(head) || AUTHOR_AND_YEAR.test(head)) return true
  const hasYear = /\b(?:19|20)\d\d\b/.test(head)
  const initials = head.match(/\b\p{Lu}\.(?:[\s,-]|$)|\p{Ll},? \p{Lu}{1,2}(?:[,.]|\s\()/gu)?.length ?? 0
  return (
    hasYear &&
    initials >= 4 &&
    (/\d\s*[–-]\s*\d|doi|vol\b|pp?\.|press|proceedings|\d\(\d/i.test(head) || /^\d{1,3}\.?\s/.test(head))
  )
}

function isBalanced(sentence: string): boolean {
  let open = 0
  for (const character of sentence) {
    if (character === '(') open++
    else if (character === ')' && --open < 0 && !/^\(?[a-z\d]{1,3}\)|[\s,;][a-z\d]{1,3}\)/.test(sentence)) return false
  }
  return open <= 0
}
