/**
 * Matches one tag, comment, processing instruction, CDATA section or text. The expression is sticky, so that each character is
 * read once.
 */
const TOKEN =
  /<(\/?)([\w:.-]+)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>|<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|[^<]+/y

/** Returns the first fault of a text that is not well-formed XML, as 'Line 3: …', or null. */
export function findXmlFault(text: string): string | null {
  const open: string[] = []
  let at = 0
  const fault = (what: string) => `Line ${text.slice(0, at).split('\n').length}: ${what}`
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (!found) return fault('this tag has no end.')
    const [token, closing, name, isEmpty] = found
    if (name && closing) {
      const expected = open.pop()
      if (expected !== name)
        return fault(`</${name}> instead of ${expected ? `</${expected}>` : 'the end of the file'}.`)
    } else if (name && !isEmpty) open.push(name)
    at += token.length
  }
  return open.length > 0 ? fault(`</${open.at(-1)}> is missing.`) : null
}
