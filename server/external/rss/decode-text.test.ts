import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const xml = (encoding: string, title: string) => `<?xml version="1.0" encoding="${encoding}"?><title>${title}</title>`
/** Cyrillic capital and small letters stand in one row in windows-1251. */
const windows1251 = (text: string) =>
  Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0)!
    return code >= 0x410 && code <= 0x44f ? code - 0x350 : code
  })

describe('a feed is read in the encoding it is written in', () => {
  it.each<[string, Uint8Array, string, string]>([
    ['declared ISO-8859-1', Buffer.from(xml('ISO-8859-1', 'Schlaf für Ärzte'), 'latin1'), '', 'Schlaf für Ärzte'],
    ['declared windows-1251', windows1251(xml('windows-1251', 'Сон и память')), 'text/xml', 'Сон и память'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${xml('UTF-16', 'Größe')}`, 'utf16le'), '', 'Größe'],
    ['UTF-16 without one', Buffer.from(xml('UTF-16', 'Größe'), 'utf16le'), '', 'Größe'],
    ['UTF-16, the high byte first', Buffer.from(`\ufeff${xml('UTF-16', 'Größe')}`, 'utf16le').swap16(), '', 'Größe'],
    ['UTF-8 by default', Buffer.from('<title>Größe</title>'), '', 'Größe'],
    ['the header before the declaration', windows1251(xml('utf-8', 'Сон')), 'text/xml; charset="windows-1251"', 'Сон'],
    ['a header that is wrong', Buffer.from(xml('ISO-8859-1', 'für'), 'latin1'), 'text/xml; charset=utf-8', 'für'],
    ['UTF-8 under a header of one byte', Buffer.from(xml('utf-8', 'für')), 'text/xml; charset=ISO-8859-1', 'für'],
    ['a declaration of 16 bits that is wrong', Buffer.from(xml('UTF-16', 'für')), '', 'für'],
    ['an encoding that nobody knows', Buffer.from(xml('x-klingon', 'für')), '', 'für'],
    ['no encoding at all', Buffer.from('<title>f\u00fcr</title>', 'latin1'), '', 'für'],
  ])('%s', (_name, bytes, type, title) => expect(decodeText(bytes, type)).toContain(`<title>${title}</title>`))
})
