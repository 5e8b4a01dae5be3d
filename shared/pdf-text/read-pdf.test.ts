import { describe, expect, it } from 'vitest'
import { MAX_PDF_PAGES, type PdfDocument, readMetadata, readPdf, TooManyPages } from './read-pdf.ts'

const pdf = (info: object, xmp: Record<string, unknown> = {}): Pick<PdfDocument, 'getMetadata'> => ({
  getMetadata: async () => ({ info, metadata: { get: (name) => xmp[name] ?? null } }),
})

describe('readMetadata', () => {
  it.each([
    ['nothing', {}, {}, {}],
    ['the Info dictionary', { Title: ' A  title\u0000', Author: 'Deer' }, {}, { title: 'A title', author: 'Deer' }],
    [
      'the XMP packet',
      {},
      { 'dc:title': 'A title', 'dc:creator': ['Deer', 'Roe'] },
      { title: 'A title', author: 'Deer; Roe' },
    ],
    ['a DOI in XMP', {}, { 'prism:doi': '10.5555/abc.1' }, { doi: '10.5555/abc.1' }],
    [
      'a DOI in the subject',
      { Subject: 'J Trials, doi:10.5555/abc.1.' },
      {},
      { subject: 'J Trials, doi:10.5555/abc.1.', doi: '10.5555/abc.1' },
    ],
    ['a DOI in a custom field', { Custom: { DOI: 'https://doi.org/10.5555/abc' } }, {}, { doi: '10.5555/abc' }],
    ['a full date', { CreationDate: "D:20240414093000+02'00'" }, {}, { creationDate: '2024-04-14T09:30:00+02:00' }],
    ['a short date', { CreationDate: 'D:2024' }, {}, { creationDate: '2024-01-01' }],
    ['an invalid date', { CreationDate: 'D:20249999' }, {}, {}],
    ['values that are not text', { Title: 7, Author: null, Keywords: [] }, {}, {}],
  ])('readMetadata reads %s', async (_what, info, xmp, expected) => {
    expect(await readMetadata(pdf(info, xmp))).toEqual(expected)
  })
})

describe('readPdf', () => {
  const book = (numPages: number): PdfDocument => ({
    ...pdf({}),
    numPages,
    getPage: async (number) => ({
      view: [0, 0, 600, 800],
      rotate: 0,
      getTextContent: async () => ({
        items: [
          { type: 'beginMarkedContent' },
          { str: `Words ${number}`, transform: [10, 0, 0, 10, 50, 400], width: 40 },
        ],
      }),
      cleanup: () => undefined,
    }),
  })

  it('readPdf reports each page and marks it in the text', async () => {
    const reported: number[][] = []
    const { text, pageCount } = await readPdf(book(2), (page, of) => reported.push([page, of]))
    expect({ text, pageCount, reported }).toEqual({
      text: '[Page 1]\nWords 1\n\n[Page 2]\nWords 2',
      pageCount: 2,
      reported: [
        [1, 2],
        [2, 2],
      ],
    })
  })

  it('readPdf refuses too many pages before it reads the first one', async () => {
    await expect(readPdf(book(MAX_PDF_PAGES + 1))).rejects.toThrow(TooManyPages)
  })
})
