const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((character, digit) => [String(digit), character])),
  '+': '⁺',
  '-': '⁻',
  '\u2212': '⁻',
}

/** Matches a number with an optional sign or charge, or a list of reference numbers: '2', '−5', '2+', '3,7–9'. */
const NUMBER = /^\s*[+\u2212-]?\d{1,4}[+\u2212-]?(?:\s?[,;\u2013-]\s?\d{1,4})*[,;*†‡§¶]*\s*$/
/** Matches the letters of affiliations or footnotes: 'a', 'a,b', 'b,*'. */
const LETTERS = /^\s*[a-z](?:,\s?[a-z])*(?:,?[*†‡§¶])*,?\s*$/

/**
 * Returns the text of a superscript item in the form in which it is appended to its line (`before`). A number becomes
 * superscript characters, so that it is not part of the word or number before it ("births.¹", "10⁵"). A letter after a word
 * gets a space before it ("Deer a"). Other text is unchanged ("1st").
 */
export function raisedText(before: string, raised: string): string {
  if (NUMBER.test(raised)) {
    const dashed = raised.replace(/(?<=\d)-(?=\s?\d)/g, '\u2013')
    return dashed.replace(/[\d+\u2212-]/g, (character) => SUPERSCRIPTS[character]!)
  }
  return LETTERS.test(raised) && /\p{L}\p{Ll}$/u.test(before) ? ` ${raised}` : raised
}
