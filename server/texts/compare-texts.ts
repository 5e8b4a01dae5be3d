import { functionWordShare } from '#shared/pdf-text/judge-text-layer.ts'

/** A new text with less than this share of the letters of the current text is poorer. */
const POORER_SHARE = 0.9
/** A text with a lower share of function words ('the', 'of') counts as garbled. */
const GARBLED_SHARE = 0.08
/** The number of characters at the beginning of a text that determine its share of function words. */
const SAMPLE = 100_000

/**
 * Comparison of a new text with the current text of a document. `letters` and `currentLetters` are the numbers of letters and
 * digits in the new text and in the current text.
 */
export interface TextComparison {
  letters: number
  currentLetters: number
  /**
   * True if the new text is garbled and the current text is not. If both or neither are garbled, true if the new text has less
   * than 90 % of the letters of the current text.
   */
  isPoorer: boolean
}

/** Compares a new text of a document with the current one, for example the text of OCR with the text layer. */
export function compareTexts(text: string, current: string): TextComparison {
  const [letters, currentLetters] = [lettersOf(text), lettersOf(current)]
  const [isGarbledNow, wasGarbled] = [isGarbled(text), isGarbled(current)]
  const isPoorer = isGarbledNow === wasGarbled ? letters < POORER_SHARE * currentLetters : isGarbledNow
  return { letters, currentLetters, isPoorer }
}

const isGarbled = (text: string) => (functionWordShare(text.slice(0, SAMPLE)) ?? 1) < GARBLED_SHARE

const lettersOf = (text: string) => text.replaceAll(/\[Page \d+\]|[^\p{L}\p{N}]+/gu, '').length
