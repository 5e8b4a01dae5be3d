import { doiKey, isDoi } from '#shared/contract/doi.ts'
import { plainText } from '../rss/plain-text.ts'
import type { Reference } from '#shared/contract/references.ts'
import { abstractOf } from './abstract.ts'
import { readOpenAlexReference } from './read-reference.ts'
import type { WorkWire } from './wire.ts'

/** A work of OpenAlex, converted to the fields that Lectern uses. Texts are plain, without markup. */
export interface Work {
  /** OpenAlex id, such as 'W4407166645'. */
  id: string
  /** Bare DOI in lower case. */
  doi: string | null
  title: string
  /** yyyy-MM-dd. 1 January if OpenAlex has only the year; the date in `reference` is then the year. */
  publicationDate: string | null
  year: number | null
  abstract: string | null
  authors: string[]
  journal: string | null
  journalIssnL: string | null
  /** article, preprint, review, book-chapter, dataset, … */
  type: string | null
  language: string | null
  isRetracted: boolean
  /** True for a cover, a table of contents or a masthead, which is not a scholarly work. */
  isParatext: boolean
  isOpenAccess: boolean
  /** The PDF of the best open-access copy that has one. */
  pdfUrl: string | null
  /** Addresses of all free copies, PDFs first. */
  freeCopies: string[]
  landingUrl: string | null
  citedBy: number
  /** All bibliographic fields. */
  reference: Reference
}

const ABSTRACT_MAX = 20_000
const TITLE_MAX = 1000
/** Maximum number of authors that are read. Large collaborations have thousands. */
const AUTHORS_MAX = 3000

/** Converts a record of OpenAlex to a work. Returns null for a record without a title or an id. */
export function readWork(wire: WorkWire): Work | null {
  const title = plainText(wire.title ?? wire.display_name ?? '', TITLE_MAX)
  const id = /W\d+/.exec(wire.id)?.[0]
  if (!title || !id) return null
  const best = wire.best_oa_location
  const journal = wire.primary_location?.source
  const free = [...(best ? [best] : []), ...(wire.locations ?? [])].filter((location) => location.is_oa !== false)
  const pdfs = free.map((location) => webAddress(location.pdf_url))
  const pages = [webAddress(wire.open_access?.oa_url), ...free.map((location) => webAddress(location.landing_page_url))]
  const work = {
    id,
    doi: wire.doi && isDoi(wire.doi) ? doiKey(wire.doi) : null,
    title,
    publicationDate: dateOf(wire.publication_date),
    year: wire.publication_year ?? null,
    abstract: plainText(abstractOf(wire.abstract_inverted_index) ?? '', ABSTRACT_MAX) || null,
    authors: (wire.authorships ?? [])
      .slice(0, AUTHORS_MAX)
      .map(({ author, raw_author_name }) => plainText(author?.display_name ?? raw_author_name ?? '', 300))
      .filter(Boolean),
    journal: plainText(journal?.display_name ?? '', 500) || null,
    journalIssnL: journal?.issn_l ?? null,
    type: wire.type ?? null,
    language: wire.language ?? null,
    isRetracted: wire.is_retracted ?? false,
    isParatext: wire.is_paratext ?? false,
    isOpenAccess: wire.open_access?.is_oa ?? best?.is_oa ?? false,
    pdfUrl: pdfs.find((url) => url !== null) ?? null,
    freeCopies: [...new Set([...pdfs, ...pages])].filter((url) => url !== null),
    landingUrl: webAddress(wire.primary_location?.landing_page_url),
    citedBy: wire.cited_by_count ?? 0,
  }
  return { ...work, reference: readOpenAlexReference(wire, work) }
}

/**
 * Returns an http(s) address of at most 2,000 characters, or null. Other schemes are refused, because browsers and the server
 * open these addresses.
 */
function webAddress(text: string | null | undefined): string | null {
  const url = text && text.length <= 2000 ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

function dateOf(text: string | null | undefined): string | null {
  const date = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0]
  return date && !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date) ? date : null
}
