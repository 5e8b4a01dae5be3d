import type { CslDate, Reference } from '#shared/contract/references.ts'
import { arxivId } from '#shared/references/identifiers.ts'
import { splitName } from '#shared/references/split-name.ts'
import { buildReference, namesOf, pageRange } from '../build-reference.ts'
import type { WorkWire } from './wire.ts'

/** The CSL type for each OpenAlex type. */
const TYPES: Readonly<Record<string, Reference['type']>> = {
  article: 'article-journal',
  review: 'article-journal',
  letter: 'article-journal',
  editorial: 'article-journal',
  erratum: 'article-journal',
  retraction: 'article-journal',
  preprint: 'article',
  book: 'book',
  'book-chapter': 'chapter',
  'reference-entry': 'entry-encyclopedia',
  'conference-paper': 'paper-conference',
  'conference-abstract': 'paper-conference',
  dissertation: 'thesis',
  report: 'report',
  'report-component': 'report',
  standard: 'standard',
  dataset: 'dataset',
  database: 'dataset',
  software: 'software',
  'peer-review': 'review',
  'book-review': 'review-book',
}

/** The fields of an OpenAlex work that are already converted: texts without markup, and validated values. */
interface KnownTexts {
  doi: string | null
  title: string
  authors: readonly string[]
  journal: string | null
  /** yyyy-MM-dd. */
  publicationDate: string | null
  year: number | null
  abstract: string | null
  type: string | null
  language: string | null
  landingUrl: string | null
}

/**
 * Returns the bibliographic reference of an OpenAlex work. `wire` is the record as OpenAlex returns it; `work` has the fields
 * that are already converted.
 */
export function readOpenAlexReference(wire: WorkWire, work: KnownTexts): Reference {
  const source = wire.primary_location?.source
  const isConference = source?.type === 'conference' && work.type === 'article'
  const type = isConference ? 'paper-conference' : (TYPES[work.type ?? ''] ?? 'document')
  // A repository stores a copy of the paper; it is not the publication that contains the paper.
  const isContainer = source?.type !== 'repository' || type === 'article'
  const { volume, issue, first_page, last_page } = wire.biblio ?? {}
  return buildReference({
    type,
    title: work.title,
    author: namesOf(work.authors, splitName),
    'container-title': isContainer ? work.journal : null,
    publisher: isContainer ? source?.host_organization_name : null,
    issued: dateOf(work),
    volume,
    issue,
    page: pageRange(first_page, last_page),
    DOI: work.doi,
    PMID: /\d+/.exec(wire.ids?.pmid ?? '')?.[0],
    PMCID: pmcid(wire.ids?.pmcid),
    number: arxivNumber(work.doi),
    ISSN: isContainer ? [...new Set(source?.issn ?? [source?.issn_l])].filter(Boolean).join(', ') : null,
    language: work.language,
    URL: work.doi ? null : work.landingUrl,
    abstract: work.abstract,
  })
}

const pmcid = (text: string | null | undefined) => {
  const digits = /(?:PMC)?(\d+)\/?$/i.exec(text ?? '')?.[1]
  return digits && `PMC${digits}`
}

const arxivNumber = (doi: string | null) => {
  const id = arxivId(doi ?? '')
  return id && `arXiv:${id}`
}

/** Returns whether a date of OpenAlex is only a year: OpenAlex returns 1 January for a year without month and day. */
export const isOnlyYear = (day: string): boolean => day.endsWith('-01-01')

/** Returns the publication date of a work: a day, or the year if OpenAlex has only the year. */
function dateOf({ publicationDate, year }: Pick<KnownTexts, 'publicationDate' | 'year'>): CslDate | null {
  if (publicationDate && !isOnlyYear(publicationDate)) return { 'date-parts': [publicationDate.split('-').map(Number)] }
  const known = year ?? Number(publicationDate?.slice(0, 4))
  return known ? { 'date-parts': [[known]] } : null
}
