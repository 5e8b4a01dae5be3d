import { doiKey, isDoi } from '#shared/contract/doi.ts'
import type { Reference } from '#shared/contract/references.ts'
import { plainText } from '../rss/plain-text.ts'
import { readCrossrefReference } from './read-reference.ts'
import type { CrossrefWire } from './wire.ts'

/** A work of Crossref, converted to the fields that Lectern uses. Texts are plain, without markup. */
export interface CrossrefWork {
  /** Bare DOI in lower case. */
  doi: string | null
  title: string
  authors: string[]
  journal: string | null
  /** yyyy-MM-dd. Null when Crossref has only a month or a year. */
  publicationDate: string | null
  abstract: string | null
  isRetracted: boolean
  /** All bibliographic fields. */
  reference: Reference
}

const RETRACTIONS = new Set(['retraction', 'partial_retraction', 'withdrawal', 'removal'])

/** Converts a record of Crossref to a work. Returns null if the record has no title. */
export function readCrossrefWork(wire: CrossrefWire): CrossrefWork | null {
  const main = plainText(wire.title?.[0] ?? '', 1000)
  const below = plainText(wire.subtitle?.[0] ?? '', 1000)
  if (!main) return null
  const days = [wire['published-online'], wire['published-print'], wire.issued].map(dayOf).filter((day) => day !== null)
  const work = {
    doi: isDoi(wire.DOI) ? doiKey(wire.DOI) : null,
    title: below && !main.toLowerCase().includes(below.toLowerCase()) ? `${main}: ${below}` : main,
    authors: (wire.author ?? [])
      .map(({ given, family, name }) => plainText([given, family].filter(Boolean).join(' ') || (name ?? ''), 300))
      .filter(Boolean),
    journal: plainText(wire['container-title']?.[0] ?? '', 500) || null,
    // The earliest full date of online publication, print and `issued`.
    publicationDate: days.toSorted((a, b) => (a < b ? -1 : 1))[0] ?? null,
    abstract: abstractOf(wire.abstract ?? ''),
    isRetracted:
      (wire['updated-by'] ?? []).some(({ type }) => RETRACTIONS.has(type ?? '')) ||
      /^retracted(?: article)?:/i.test(main),
  }
  return { ...work, reference: readCrossrefReference(wire, work) }
}

/**
 * Converts an abstract from JATS XML to plain text. Tags of block elements become spaces; otherwise the words of adjacent
 * blocks would run together.
 */
const abstractOf = (jats: string) =>
  plainText(jats.replaceAll(/<\/?jats:(?:p|title|sec|list-item)\b[^>]*>/gi, ' '), 20_000).replace(
    /^abstract[:.]?\s+/i,
    '',
  ) || null

function dayOf(day: CrossrefWire['issued']): string | null {
  const [year, month, date] = day?.['date-parts']?.[0] ?? []
  if (!year || !month || !date) return null
  const text = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-')
  return !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text) ? text : null
}
