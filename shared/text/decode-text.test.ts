import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const xml = (encoding: string, title: string) => `<?xml version="1.0" encoding="${encoding}"?><title>${title}</title>`
/** Returns a text in windows-1251, in which the Cyrillic capital and small letters are one contiguous range. */
const windows1251 = (text: string) =>
  Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0)!
    return code >= 0x410 && code <= 0x44f ? code - 0x350 : code
  })

describe('decodeText', () => {
  it.each<[string, Uint8Array, string, string]>([
    ['declared ISO-8859-1', Buffer.from(xml('ISO-8859-1', 'Schlaf für Ärzte'), 'latin1'), '', 'Schlaf für Ärzte'],
    ['declared windows-1251', windows1251(xml('windows-1251', 'Сон и память')), 'text/xml', 'Сон и память'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${xml('UTF-16', 'Größe')}`, 'utf16le'), '', 'Größe'],
    ['UTF-16 without a byte order mark', Buffer.from(xml('UTF-16', 'Größe'), 'utf16le'), '', 'Größe'],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${xml('UTF-16', 'Größe')}`, 'utf16le').swap16(), '', 'Größe'],
    ['UTF-8 by default', Buffer.from('<title>Größe</title>'), '', 'Größe'],
    [
      'a correct header and a wrong declaration',
      windows1251(xml('utf-8', 'Сон')),
      'text/xml; charset="windows-1251"',
      'Сон',
    ],
    ['a wrong header', Buffer.from(xml('ISO-8859-1', 'für'), 'latin1'), 'text/xml; charset=utf-8', 'für'],
    ['UTF-8 with a single-byte header', Buffer.from(xml('utf-8', 'für')), 'text/xml; charset=ISO-8859-1', 'für'],
    ['a wrong 16-bit declaration', Buffer.from(xml('UTF-16', 'für')), '', 'für'],
    ['an unknown encoding', Buffer.from(xml('x-klingon', 'für')), '', 'für'],
    ['Windows-1252 without a declaration', Buffer.from('<title>f\u00fcr</title>', 'latin1'), '', 'für'],
  ])('decodeText decodes %s', (_name, bytes, type, title) =>
    expect(decodeText(bytes, type)).toContain(`<title>${title}</title>`),
  )
})
