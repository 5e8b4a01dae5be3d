/** A part of a text; `differs` if the other text lacks it. */
export interface TextPart {
  text: string
  differs: boolean
}

/** Maximum number of words and spaces of a text, about 200 words. Longer texts are not compared. */
const MOST_WORDS = 400

/**
 * Splits `text` into parts. Parts outside of the longest common sequence of words with `other` differ. An empty or a long text,
 * and a text without a common word, is one part that does not differ, because it differs as a whole.
 */
export function differingWords(text: string, other: string): TextPart[] {
  const [a, b] = [text.split(/(\s+)/), other.split(/(\s+)/)]
  const whole = [{ text, differs: false }]
  if (text === '' || other === '' || a.length > MOST_WORDS || b.length > MOST_WORDS) return whole
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
  const parts: TextPart[] = []
  let hasCommon = false
  for (let i = 0, j = 0; i < a.length;) {
    const isCommon = j < b.length && a[i] === b[j]
    if (!isCommon && j < b.length && lengths[i]![j + 1]! > lengths[i + 1]![j]!) {
      j++
      continue
    }
    const word = a[i]!
    hasCommon ||= isCommon && word.trim() !== ''
    const last = parts.at(-1)
    if (last?.differs === !isCommon) last.text += word
    else parts.push({ text: word, differs: !isCommon })
    i++
    if (isCommon) j++
  }
  return hasCommon ? parts.filter((part) => part.text !== '') : whole
}
