import diff from 'fast-diff'

/** A part of a text in the comparison of two texts. `differs` is true if the other text lacks this part. */
export interface TextPart {
  text: string
  differs: boolean
}

/** Each different word gets a character from FIRST_CODE to LAST_CODE, below the surrogates. */
const FIRST_CODE = 0x100
const LAST_CODE = 0xd7ff

/**
 * Returns both texts in parts. Words, spaces and other characters are the units of the comparison. Texts with more different
 * units than there are codes are not compared: each is one part.
 */
export function compareWords(one: string, other: string): { one: TextPart[]; other: TextPart[] } {
  const codes = new Map<string, string>()
  const encode = (text: string) =>
    (text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [])
      .map((word) => {
        const code = codes.get(word) ?? String.fromCharCode(Math.min(FIRST_CODE + codes.size, LAST_CODE))
        codes.set(word, code)
        return code
      })
      .join('')
  const [a, b] = [encode(one), encode(other)]
  if (FIRST_CODE + codes.size > LAST_CODE) return { one: part(one, one !== other), other: part(other, one !== other) }
  const words = new Map([...codes].map(([word, code]) => [code, word]))
  const decode = (text: string) => Array.from(text, (code) => words.get(code)).join('')
  const parts = diff(a, b, undefined, true)
  const side = (kind: -1 | 1) =>
    parts.flatMap(([of, text]) => (of === 0 || of === kind ? part(decode(text), of !== 0) : []))
  return { one: side(diff.DELETE), other: side(diff.INSERT) }
}

const part = (text: string, differs: boolean): TextPart[] => (text === '' ? [] : [{ text, differs }])
