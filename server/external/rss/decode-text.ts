const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i

const ONE_BYTE = /^(?:iso-?8859|latin|windows-?125|cp-?125|us-ascii|koi8)/i

/**
 * The text of a feed in whatever encoding it is written: what a byte order mark says, else the HTTP header, else the XML
 * declaration, else UTF-8. Where the bytes contradict what was said, the next of these is believed; Windows-1252 reads
 * everything. One byte for a letter is believed of no text that is good UTF-8: that does not come about by chance, and
 * servers that add such a header to whatever they send are many.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const header = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 400)).replaceAll('\0', '')
  const declared = DECLARED.exec(start.replace(/^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, ''))?.[1]
  const shape = byShape(bytes)
  // A 16-bit encoding that is merely declared is wrong: its declaration could not have been read byte by byte.
  const oneByte = [header, declared].some((one) => ONE_BYTE.test(one ?? ''))
  const candidates = [
    shape,
    oneByte ? 'utf-8' : null,
    ...[header, declared].filter((one) => !/^utf-?16/i.test(one ?? '')),
    'utf-8',
  ]
  for (const label of candidates) {
    if (!label) continue
    const text = tryDecode(bytes, label)
    if (text !== null) return text
  }
  return new TextDecoder('windows-1252').decode(bytes)
}

/** What the first bytes show: a byte order mark, or '<' in 16 bits. */
function byShape([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  return null
}

function tryDecode(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
