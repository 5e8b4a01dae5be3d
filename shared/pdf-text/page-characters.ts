const LIGATURES: Record<string, string> = {
  '\ufb00': 'ff',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\ufb03': 'ffi',
  '\ufb04': 'ffl',
  '\ufb05': 'st',
  '\ufb06': 'st',
}

/** Spacing accents that TeX draws before their letter, mapped to the combining mark. */
const ACCENTS: Record<string, string> = {
  '\u00b4': '\u0301',
  '`': '\u0300',
  '\u02c6': '\u0302',
  '\u00a8': '\u0308',
  '\u02dc': '\u0303',
  '\u00af': '\u0304',
  '\u00b8': '\u0327',
  '\u02c7': '\u030c',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
}

const accented = (accent: string, letter: string) =>
  ((letter === '\u0131' ? 'i' : letter) + ACCENTS[accent]!).normalize('NFC')

/** Lines of printable ASCII. Most lines match and need no repair. */
const PLAIN = /^[\x20-\x5f\x61-\x7e]*$/

/**
 * Repairs the characters of one line of a text layer. Expands ligatures, combines separate accents with their letter
 * ("M´exico" becomes "México"), removes soft hyphens, control and zero-width characters, collapses white space, and joins
 * letter-spaced words ("A B S T R A C T").
 */
export function cleanCharacters(line: string): string {
  let text = line
  if (!PLAIN.test(text)) {
    text = text
      .replace(/[\ufb00-\ufb06]/g, (ligature) => LIGATURES[ligature]!)
      .replace(/\uf0b7/g, '•')
      .replace(/[\u00ad\u200b-\u200f\u2060\ufeff\ufffe\uffff\p{Co}]|(?![\t\n])\p{Cc}/gu, '')
      .replace(
        /([\u00b4\u02c6\u00a8\u02dc\u00af\u00b8\u02c7\u02d8-\u02da\u02dd]) ?([A-Za-z\u0131])/g,
        (_, accent: string, letter: string) => accented(accent, letter),
      )
      .replace(/(?<=\p{L})`([aeiouAEIOU])/gu, (_, letter: string) => accented('`', letter))
      .normalize('NFC')
  }
  text = text.replace(/\s+/g, ' ').trim()
  return /^(?:\p{L} ){5,}\p{L}$/u.test(text) ? text.replaceAll(' ', '') : text
}
