import { describe, expect, it } from 'vitest'
import { decodeFile } from './decode-file.ts'
import { detectFormat } from './detect-format.ts'

const RIS = 'TY  - JOUR\nTI  - Zürich\nER  - \n'
const wide = (text: string, bigEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return bigEndian ? bytes.swap16() : bytes
}

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8', Buffer.from(RIS)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${RIS}`)],
    ['UTF-16 LE with a byte order mark', wide(`\uFEFF${RIS}`, false)],
    ['UTF-16 BE with a byte order mark', wide(`\uFEFF${RIS}`, true)],
    ['UTF-16 LE', wide(RIS, false)],
    ['UTF-16 BE', wide(RIS, true)],
    ['Windows-1252', Buffer.from(RIS, 'latin1')],
  ])('A file in %s is decoded (FMT-20)', (_encoding, bytes) => {
    expect(decodeFile(bytes)).toBe(RIS)
  })
})

describe('the format of a file', () => {
  it.each([
    ['bibtex', '% Encoding: UTF-8\n\n@article{key, title = {A}}'],
    ['bibtex', '@Article (key, title = "A")'],
    ['bibtex', '@article{key, title = {A},\n abstract = {\nTY  - JOUR\n}}'],
    ['bibtex', '% Encoding: US-ASCII@PREAMBLE{text}@article{key}'],
    ['ris', RIS],
    ['ris', 'Exported by a database\n\nTY - JOUR\nAB - text\n@article{x,'],
    ['nbib', '\nPMID- 31806334\nOWN - NLM\n'],
    ['endnote-tagged', '%0 Journal Article\n%T A title\n'],
    ['endnote-tagged', '%E An editor\n'],
    ['endnote-xml', '<?xml version="1.0" encoding="UTF-8" ?><xml><records><record></record></records></xml>'],
    ['pubmed-xml', '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "a" "b">\n<PubmedArticleSet>'],
    ['web-of-science', 'FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n'],
    ['web-of-science', 'PT J\nAU Haddad, R\n'],
    ['csl-json', '[{"id": "a", "type": "book"}]'],
    ['csl-json', '{"items": [{"type": "book"}]}'],
    ['csv', 'title,abstract,authors\nA,B,C\n'],
    ['csv', '"Key"\t"Item Type"\t"Title"\n'],
    ['csv', 'PMID;Title;Authors\n1;PT J;x\n'],
    ['csv', 'Title,Abstract\nA,"\nTY  - JOUR\n"\n'],
  ] as const)('It is %s for a file that starts with %j (FMT-20)', (format, text) => {
    expect(detectFormat(text)).toBe(format)
  })

  it.each([
    '',
    'A letter about titles, without records.',
    '<html><body>title</body></html>',
    '{"name": "a"}',
    '%PDF-1.7\n',
  ])('It is unknown for %j (FMT-70)', (text) => {
    expect(detectFormat(text)).toBeUndefined()
  })
})
