const DECLARED = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i

const ONE_BYTE = /^(?:iso-?8859|latin|windows-?125|cp-?125|us-ascii|koi8)/i

/**
 * Decodes a feed, a web page or a file. `contentType` is the HTTP header, or ''. Uses the first of these encodings in which the
 * bytes are valid: that of a byte order mark, of the HTTP header, of the XML declaration, UTF-8, Windows-1252 (which accepts
 * all bytes). If the header or the declaration states a single-byte encoding, tries UTF-8 before it: a text in another encoding
 * is almost never valid UTF-8, and many servers send a wrong header.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const header = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 400)).replaceAll('\0', '')
  const declared = DECLARED.exec(start.replace(/^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, ''))?.[1]
  const shape = byShape(bytes)
  // A declaration that is readable byte by byte cannot be in a 16-bit encoding.
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

/**
 * Returns the encoding that the first bytes of a text show by a byte order mark or a '<' in 16 bits; null if they show none.
 */
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
