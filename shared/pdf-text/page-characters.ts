/**
 * Ligatures with their letters. The control characters are the codes of ligatures in TeX's encodings OT1 and T1, which the text
 * of bitmap fonts has instead of Unicode characters.
 */
const LIGATURES: Record<string, string> = {
  '\u000b': 'ff',
  '\u000c': 'fi',
  '\u000d': 'fl',
  '\u000e': 'ffi',
  '\u000f': 'ffl',
  '\u001b': 'ff',
  '\u001c': 'fi',
  '\u001d': 'fl',
  '\u001e': 'ffi',
  '\u001f': 'ffl',
  '\ufb00': 'ff',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\ufb03': 'ffi',
  '\ufb04': 'ffl',
  '\ufb05': 'st',
  '\ufb06': 'st',
}

/**
 * Returns the text for a control character that is a code of TeX: a ligature beside a letter, or a dash between digits. A code
 * that is also white space is a ligature only before a lower-case letter. Returns any other control character unchanged.
 */
function texCharacter(code: string, at: number, line: string): string {
  const [before, after] = [line[at - 1] ?? '', line[at + 1] ?? '']
  if (code === '\u0015') return /\d/.test(before) && /\d/.test(after) ? '–' : code
  const isLigature = /\p{Ll}/u.test(after) || (/\S/.test(code) && /\p{L}/u.test(before))
  return isLigature ? (LIGATURES[code] ?? code) : code
}

/**
 * Accents that are separate characters (spacing accents), each with the combining accent and the letters that have it in
 * European languages.
 */
const ACCENTS: Readonly<Record<string, readonly [combining: string, letters: string]>> = {
  '\u00b4': ['\u0301', 'aeiouyclnrsz'],
  '\u02c6': ['\u0302', 'aeiouycghjsw'],
  '\u00a8': ['\u0308', 'aeiouy'],
  '\u02dc': ['\u0303', 'aeioun'],
  '\u00af': ['\u0304', 'aeiou'],
  '\u00b8': ['\u0327', 'cst'],
  '\u02c7': ['\u030c', 'cdelnrstz'],
  '\u02d8': ['\u0306', 'aegu'],
  '\u02d9': ['\u0307', 'cegiz'],
  '\u02da': ['\u030a', 'au'],
  '\u02dd': ['\u030b', 'ou'],
}
const VOWEL = /[aeiouy\u0131]/i
/**
 * Matches letters that can have an acute accent at the end of a word, as in Polish and Croatian names. Does not match the s of
 * "it´s".
 */
const FINAL_CONSONANT = /^[cnz]$/i

const plainLetter = (letter: string) => (letter === '\u0131' ? 'i' : letter)
const fits = (accent: string, letter: string) =>
  letter !== '' && ACCENTS[accent]![1].includes(plainLetter(letter).toLowerCase())
const accented = (accent: string, letter: string) => (plainLetter(letter) + ACCENTS[accent]![0]).normalize('NFC')

const SPACING_ACCENT =
  /(?<before>[A-Za-z\u0131]?)(?<accent>[\u00b4\u02c6\u00a8\u02dc\u00af\u00b8\u02c7\u02d8-\u02da\u02dd])(?:(?<space> ?)(?<after>[A-Za-z\u0131]))?(?=(?<next>\p{L}?))/gu

/**
 * Combines spacing accents with their letters. TeX draws an accent before its letter ("M´exico", "Jos´ e"), other programs
 * after it ("Ste´phane"). A character that fits no adjacent letter, such as a degree sign or an apostrophe, is unchanged.
 */
function combineAccents(text: string): string {
  return text.replace(SPACING_ACCENT, (found: string, ...rest) => {
    const {
      before,
      accent,
      space = '',
      after = '',
      next,
    } = rest.at(-1) as Record<string, string> & {
      before: string
      accent: string
      next: string
    }
    const [offset, whole] = rest.slice(-3) as [number, string]
    const isAfterDigit = /\d ?$/.test(whole.slice(Math.max(0, offset - 2), offset))
    if (before === '' && isAfterDigit) return found
    const onBefore = fits(accent, before) && (VOWEL.test(before) || accent !== '\u00b4')
    const onAfter = fits(accent, after) && !(/s/i.test(after) && next === '')
    const isSpaced = space !== ''
    // "cafe´ and", "E´cole"; but "Kovaˇci´c" and "Na¨ıve".
    const prefersBefore =
      onBefore && (isSpaced ? VOWEL.test(before) : VOWEL.test(before) && !VOWEL.test(after) && !isFinal(after, next))
    const isApostrophe = isSpaced && /s/i.test(before) && next !== '' && after !== '\u0131'
    if (onAfter && !prefersBefore && !isApostrophe) return before + accented(accent, after)
    return onBefore ? accented(accent, before) + space + after : found
  })
}

const isFinal = (letter: string, next: string) => next === '' && FINAL_CONSONANT.test(letter)

/** Matches a line of printable ASCII characters. Such a line needs no repair. Most lines match. */
const PLAIN = /^[\x20-\x5f\x61-\x7e]*$/

/**
 * Repairs the characters of one line of a text layer. Expands ligatures, combines separate accents with their letter
 * ("M´exico" becomes "México"), removes soft hyphens, control and zero-width characters, collapses white space, and joins
 * letter-spaced words ("A B S T R A C T").
 */
export function cleanCharacters(line: string): string {
  let text = line
  if (!PLAIN.test(text)) {
    text = combineAccents(text)
      .replace(/[\ufb00-\ufb06]/g, (ligature) => LIGATURES[ligature]!)
      .replace(/\p{Cc}/gu, texCharacter)
      .replace(/\uf0b7/g, '•')
      .replace(/[\u00ad\u200b-\u200f\u2060\ufeff\ufffe\uffff\p{Co}]|(?![\t\n])\p{Cc}/gu, '')
      .replace(/(?<=\p{L})`([aeiouAEIOU])/gu, (_, letter: string) => letter + '\u0300')
      .normalize('NFC')
  }
  text = text.replace(/\s+/g, ' ').trim()
  return /^(?:\p{L} ){5,}\p{L}$/u.test(text) ? text.replaceAll(' ', '') : text
}
