import { splitPages } from '#shared/pdf-text/page-text.ts'
import type { ExtractiveInput } from './analysis.ts'
import { findDoi } from './doi.ts'
import { frontMatter } from './first-page.ts'
import { readParagraphs } from './paragraphs.ts'
import { findTitle } from './title.ts'

/**
 * Number of characters at the start of a paper's text in which title, DOI and abstract are searched. The first pages have
 * fewer.
 */
export const FRONT_CHARACTERS = 40_000

/** Returns DOI and title from the first pages or the PDF's metadata, without an analysis. Takes a few milliseconds. */
export function readPaperName(input: ExtractiveInput): { doi: string | null; title: string | null } {
  const firstPage = input.firstPage && input.firstPage.lines.length > 0 ? input.firstPage : null
  const front = frontMatter(readParagraphs(splitPages(input.text.slice(0, FRONT_CHARACTERS))), firstPage)
  const metadata = input.metadata ?? null
  return { doi: findDoi(front, metadata)?.value ?? null, title: findTitle(front, firstPage, metadata)?.value ?? null }
}
