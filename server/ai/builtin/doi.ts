import type { PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import type { FrontMatter } from './first-page.ts'
import type { Quoted } from './quoted.ts'

/** Matches a DOI after the word DOI. In some layouts, there is a space after '10.' or after the slash. */
const LABELLED = /(?:\bdoi(?:\.org)?\s*[:/]?\s*|\bdoi\s+)(10\.\s?\d{4,9}\/\s?[-._;()/:A-Za-z0-9]{1,200})/gi
const BARE = /(?<![\d.])10\.\d{4,9}\/[-._;()/:A-Za-z0-9]{1,200}/g
const IS_DOI = /^10\.\d{4,9}\/\S{2,200}$/
/** Matches the DOI of a figure, table or supplement, which differs from the DOI of the paper. */
const PART = /\/(?:fig|table|supp)-\d+$|\.[gst]\d{3}$/i
/**
 * Matches DOIs of data sets, archives and preprints by their registrant. Such a DOI on the page of a paper is usually not the
 * DOI of the paper.
 */
const DEPOSIT = /^10\.(?:5281|6084|17605|5061|7910|5256|17632|48550)\//

/**
 * Returns the paper's DOI without a prefix: on page 1 after the word DOI, else anywhere on page 1, else in the PDF's metadata,
 * else after the word DOI on the other pages of `front.around`. Ignores reference lists. Returns the DOI of a data set or a
 * preprint only if there is no other, and null if there is none.
 */
export function findDoi(front: FrontMatter, metadata: PdfMetadata | null): Quoted | null {
  const around = front.around
    .filter((text) => !/^\[\d{1,3}\]/.test(text))
    .join('\n')
    .slice(0, 120_000)
  const named = clean(metadata?.doi ?? '')
  const fromMetadata = IS_DOI.test(named) ? [{ value: named, quote: '' }] : []
  const places = [printed(front.flat, LABELLED), printed(front.flat, BARE), fromMetadata, printed(around, LABELLED)]
  const own = places.map((list) => list.find((one) => !DEPOSIT.test(one.value)))
  const found = own.find(Boolean) ?? places.flat()[0]
  if (!found) return null
  // A DOI from the metadata is quoted if the page prints it.
  const quote = found.quote || (around.toLowerCase().includes(found.value.toLowerCase()) ? found.value : null)
  return { value: found.value, quote }
}

/** Returns the DOIs that match the pattern, without those after a word such as 'supplement' and those of a figure or table. */
function printed(text: string, pattern: RegExp): { value: string; quote: string }[] {
  return [...text.matchAll(pattern)]
    .map((found) => ({ raw: found[1] ?? found[0], before: text.slice(Math.max(0, found.index - 25), found.index) }))
    .filter(
      ({ before }) =>
        !/full-size|supplement|data ?set|archive[d]? at|available (?:at|from)\s*:?\s*(?:https?:\/\/)?$/i.test(before),
    )
    .map(({ raw }) => ({ value: clean(raw), quote: trimmed(raw) }))
    .filter(({ value }) => IS_DOI.test(value) && !PART.test(value))
}

function trimmed(raw: string): string {
  let doi = raw.trim().replace(/[.,;:]{1,9}$/, '')
  while (doi.endsWith(')') && doi.split(')').length > doi.split('(').length)
    doi = doi.slice(0, -1).replace(/[.,;:]{1,9}$/, '')
  return doi
}
const clean = (raw: string) => trimmed(raw.replace(/^(?:https?:\/\/)?(?:dx\.)?doi\.org\//i, '').replace(/\s+/g, ''))
