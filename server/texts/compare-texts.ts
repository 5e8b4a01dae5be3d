import { functionWordShare } from '#shared/pdf-text/judge-text-layer.ts'

/** A text with less than this share of the letters of another one is poorer. */
const POORER_SHARE = 0.9
/** A text with a smaller share of function words may be garbled. */
const GARBLED_SHARE = 0.08
/** The number of characters at the beginning of a text that determine its share of function words. */
const SAMPLE = 100_000

/** Comparison of a new text with the current one of a document. `letters` counts letters and digits. */
export interface TextComparison {
  letters: number
  currentLetters: number
  /**
   * True if only the new text is garbled, or if both or neither are garbled and the new text has less than 90 % of the letters.
   */
  isPoorer: boolean
}

/** Compares a new text with the current one, such as that of OCR with a text layer. */
export function compareTexts(text: string, current: string): TextComparison {
  const [letters, currentLetters] = [lettersOf(text), lettersOf(current)]
  const [isGarbledNow, wasGarbled] = [isGarbled(text), isGarbled(current)]
  const isPoorer = isGarbledNow === wasGarbled ? letters < POORER_SHARE * currentLetters : isGarbledNow
  return { letters, currentLetters, isPoorer }
}

const isGarbled = (text: string) => (functionWordShare(text.slice(0, SAMPLE)) ?? 1) < GARBLED_SHARE

const lettersOf = (text: string) => text.replaceAll(/\[Page \d+\]|[^\p{L}\p{N}]+/gu, '').length
