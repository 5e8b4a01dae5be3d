import type { FirstPage, PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { findAuthors } from './authors.ts'
import { findDoi } from './doi.ts'
import type { FrontMatter } from './first-page.ts'
import { findJournal } from './journal-name.ts'
import { findPublicationDate } from './publication-date.ts'
import { findTitle } from './title.ts'

/** Returns title, authors, DOI, publication date and journal, each with its quote; null or [] if they are not found. */
export function findFrontFacts(front: FrontMatter, firstPage: FirstPage | null, metadata: PdfMetadata | null) {
  const title = findTitle(front, firstPage, metadata)
  const authors = findAuthors(front, firstPage, metadata, title?.value ?? null)
  const doi = findDoi(front, metadata)
  const date = findPublicationDate(front)
  const names = { title: title?.value ?? null, authors: authors.map((one) => one.value) }
  const journal = findJournal(front, doi?.value ?? null, metadata, names)
  return { title, authors, doi, date, journal }
}
