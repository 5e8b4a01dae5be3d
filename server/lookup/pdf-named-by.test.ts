import { describe, expect, it } from 'vitest'
import { pdfNamedBy } from './pdf-named-by.ts'

const at = (head: string) => pdfNamedBy(`<html><head>${head}</head></html>`, 'https://example.org/a/page')

describe('pdfNamedBy', () => {
  it('pdfNamedBy reads citation_pdf_url with any quotes and any order of the attributes', () => {
    expect(at('<meta name="citation_pdf_url" content="/b.pdf">')).toBe('https://example.org/b.pdf')
    expect(at("<META content='c.pdf?a=1&amp;b=2' NAME=citation_pdf_url />")).toBe('https://example.org/a/c.pdf?a=1&b=2')
    expect(at('<meta name="citation_title" content="x"><meta name="citation_pdf_url" content="https://o.org/d">')).toBe(
      'https://o.org/d',
    )
  })
  it('pdfNamedBy returns null for a page without a valid citation_pdf_url', () => {
    expect(at('<meta name="citation_title" content="x.pdf">')).toBeNull()
    expect(at('<meta name="citation_pdf_url" content="http://">')).toBeNull()
    expect(at('citation_pdf_url')).toBeNull()
  })
})
