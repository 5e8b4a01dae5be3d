import { findAbstract, findVolume } from '#server/ai/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { IN_JOURNALS, type AnalysisForDocument, type StoredDocument } from '#server/documents/index.ts'
import { log } from '#server/lib/log.ts'

const VOLUME_FIELDS = ['volume', 'issue', 'page'] as const

/** Facts that a paper prints and that the result of an analysis does not contain. */
interface PrintedFacts {
  abstract: string | null
  volume: Awaited<ReturnType<typeof findVolume>>
}

/**
 * Returns the abstract, volume, issue and pages that are printed in the text of a document. `abstract` is null and `volume` is
 * {} if the document already has these values, or if they are not found. Both are also empty if the extracted text has a
 * warning (`text_warning`): the values could then contain errors, which a new extraction would not replace. A failure is only
 * logged, because the analysis itself has succeeded.
 */
export async function printedFactsOf(
  document: StoredDocument,
  text: string,
  { userId }: Actor,
  signal: AbortSignal | undefined,
): Promise<PrintedFacts> {
  const { id, abstract, text_warning, reference, pdf_facts } = document
  const orNothing = <T>(fact: Promise<T>, nothing: T) =>
    fact.catch((err: unknown) => {
      signal?.throwIfAborted()
      log.warn({ err, document: id }, 'a printed fact could not be read')
      return nothing
    })
  const isReliable = text_warning === null
  const lacksVolume = VOLUME_FIELDS.some((field) => !reference[field])
  const { metadata = null, firstPage = null } = pdf_facts ?? {}
  return {
    abstract: isReliable && !abstract ? await orNothing(findAbstract(text, userId, signal), null) : null,
    volume:
      isReliable && lacksVolume ? await orNothing(findVolume({ text, metadata, firstPage }, userId, signal), {}) : {},
  }
}

/**
 * Returns those printed facts (abstract, volume, issue, pages) that a document lacks and that no user edited. Omits volume,
 * issue and pages for a work that is not in a journal, and if one of them differs from the value that the document has.
 */
export function missingFacts(
  now: Pick<StoredDocument, 'abstract' | 'edited_fields' | 'reference'>,
  { abstract, volume }: PrintedFacts,
): Pick<AnalysisForDocument, 'abstract' | 'reference'> {
  const { reference, edited_fields } = now
  const isInJournal = reference.type !== 'article' && IN_JOURNALS.has(reference.type ?? 'article-journal')
  const firstNumber = (value: string | undefined) => /\d+/.exec(value ?? '')?.[0]
  const isOther = VOLUME_FIELDS.some(
    (field) => reference[field] && volume[field] && firstNumber(reference[field]) !== firstNumber(volume[field]),
  )
  const missing = VOLUME_FIELDS.filter((field) => volume[field] && !reference[field] && !edited_fields.includes(field))
  return {
    ...(now.abstract || edited_fields.includes('abstract') ? {} : { abstract }),
    ...(isInJournal && !isOther && missing.length > 0
      ? { reference: Object.fromEntries(missing.map((field) => [field, volume[field]])) }
      : {}),
  }
}
