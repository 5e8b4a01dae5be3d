import type { TextWarning } from '../contract/documents.ts'
import { judgeTextLayer } from './judge-text-layer.ts'
import type { FirstPage, PageItems, PdfMetadata, TextItem } from './page-layout.ts'
import { layoutDocument } from './page-layout.ts'
import { joinPages } from './page-text.ts'

/** Maximum number of pages. A longer PDF is refused. */
export const MAX_PDF_PAGES = 5000

/** The result of an extraction, from the text layer or by OCR. `text` has a `[Page N]` marker before each page. */
export interface ExtractedText {
  text: string
  pageCount: number
  /** The reason why the text is unreliable and OCR is recommended; otherwise null. */
  warning: TextWarning | null
  metadata: PdfMetadata
  firstPage: FirstPage
}

/** The fields of a pdf.js document that `readPdf` uses. They are declared here, so that this file does not import pdf.js. */
export interface PdfDocument {
  numPages: number
  getPage(page: number): Promise<PdfPage>
  getMetadata(): Promise<{ info: object; metadata: { get(name: string): unknown } | null }>
}

interface PdfPage {
  view: number[]
  rotate: number
  getTextContent(): Promise<{ items: object[] }>
  cleanup(): void
}

/** Thrown when a document has more than MAX_PDF_PAGES pages. */
export class TooManyPages extends Error {
  readonly pages: number

  constructor(pages: number) {
    super(`This PDF has ${pages} pages; at most ${MAX_PDF_PAGES} can be read.`)
    this.name = 'TooManyPages'
    this.pages = pages
  }
}

/**
 * Extracts the text of an open pdf.js document page by page. Calls `onPage` after each page. If some pages cannot be read,
 * their text is empty and the warning is 'damaged'. Throws `TooManyPages`, or the error of the first page if no page can be
 * read. The workers of the browser and of the server run this function, so both extract the same text.
 */
export async function readPdf(
  pdf: PdfDocument,
  onPage?: (page: number, pages: number) => void,
): Promise<ExtractedText> {
  if (pdf.numPages > MAX_PDF_PAGES) throw new TooManyPages(pdf.numPages)
  const pages: PageItems[] = []
  const damaged: unknown[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    pages.push(
      await readPage(pdf, number).catch((error: unknown) => {
        damaged.push(error)
        return { items: [], view: [0, 0, 0, 0], rotate: 0 }
      }),
    )
    onPage?.(number, pdf.numPages)
  }
  // A file of which no page can be read is damaged as a whole.
  if (damaged.length > 0 && damaged.length === pdf.numPages) throw damaged[0]
  const { texts, firstPage } = layoutDocument(pages)
  const metadata = await readMetadata(pdf).catch(() => ({}))
  const warning = damaged.length > 0 ? 'damaged' : judgeTextLayer(texts)
  return { text: joinPages(texts), pageCount: pdf.numPages, warning, metadata, firstPage }
}

async function readPage(pdf: PdfDocument, number: number): Promise<PageItems> {
  const page = await pdf.getPage(number)
  const content = await page.getTextContent()
  const items = content.items.filter(isTextItem)
  page.cleanup()
  return { items, view: page.view, rotate: page.rotate }
}

const isTextItem = (item: object): item is TextItem => 'str' in item && 'transform' in item

/**
 * Returns the metadata of a PDF. Each field is read from the Info dictionary, or from the XMP packet if it is missing there.
 * The DOI is the first one in the fields for identifiers, else the first one in the subject. Missing and invalid values are
 * omitted.
 */
export async function readMetadata(pdf: Pick<PdfDocument, 'getMetadata'>): Promise<PdfMetadata> {
  const { info, metadata: xmp } = await pdf.getMetadata()
  const fields = info as Record<string, unknown>
  const custom = (typeof fields.Custom === 'object' ? (fields.Custom ?? {}) : {}) as Record<string, unknown>
  const first = (...values: unknown[]) => values.map(words).find((value) => value !== '')
  const found: PdfMetadata = {
    title: first(fields.Title, xmp?.get('dc:title')),
    author: first(fields.Author, xmp?.get('dc:creator')),
    subject: first(fields.Subject, xmp?.get('dc:description')),
    keywords: first(fields.Keywords, xmp?.get('pdf:keywords')),
    doi: doiIn(
      [
        xmp?.get('prism:doi'),
        xmp?.get('pdfx:doi'),
        custom.doi,
        custom.DOI,
        xmp?.get('dc:identifier'),
        fields.Subject,
      ].map(words),
    ),
    creationDate: isoDate(words(fields.CreationDate)),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

function words(value: unknown): string {
  const text = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('; ') : value
  return typeof text === 'string'
    ? text
        .replace(/[\s\0]+/g, ' ')
        .trim()
        .slice(0, 2000)
    : ''
}

function doiIn(values: readonly string[]): string | undefined {
  for (const value of values) {
    const doi = /\b10\.\d{4,9}\/[^\s"<>]+/.exec(value)?.[0].replace(/[.,;)\]]+$/, '')
    if (doi) return doi
  }
  return undefined
}

/**
 * Converts a PDF date such as 'D:20240414093000+02'00'' to ISO 8601: '2024-04-14T09:30:00+02:00'. Returns undefined for an
 * invalid date.
 */
function isoDate(pdfDate: string): string | undefined {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?/.exec(pdfDate)
  if (!parts) return undefined
  const [, year, month = '01', day = '01', hour, minute, second = '00', utc, zone, zoneMinute = '00'] = parts
  const date = `${year}-${month}-${day}`
  const iso = hour ? `${date}T${hour}:${minute}:${second}${zone ? `${zone}:${zoneMinute}` : utc ? 'Z' : ''}` : date
  return Number.isNaN(Date.parse(iso)) ? undefined : iso
}
