import { z } from 'zod'
import { insightsFromText, type DocumentPatch } from '#shared/contract/document-edits.ts'
import { type DocumentDetail } from '#shared/contract/documents.ts'
import { publicationDate, readDate } from '#web/lib/dates.ts'
import { dateText } from '#web/lib/date-text.ts'
import type { Chosen, LookedUpFields } from '#web/lookup/index.ts'

/** The values of the edit form. Each is a text as the user typed it. */
export const editValues = z.object({
  title: z.string().max(2000, 'At most 2,000 characters'),
  doi_link: z.string().max(500, 'At most 500 characters'),
  publication_date: z
    .string()
    .refine((text) => !text.trim() || readDate(text), 'Write the date as March 04, 2025 or as 2025-03-04'),
  journal_name: z.string().max(500, 'At most 500 characters'),
  summary: z.string(),
  lifestyle_recommendations: z.string(),
  evidence_level: z.string().max(500, 'At most 500 characters'),
  authors: z.string(),
  abstract: z.string().max(50_000, 'At most 50,000 characters'),
  keywords: z.array(z.string()),
  social_post: z.string().max(20_000, 'At most 20,000 characters'),
  insights: z.string(),
})
export type EditValues = z.infer<typeof editValues>
/** The labels of the fields of the edit form. */
export const EDIT_LABELS: Readonly<Record<keyof EditValues, string>> = {
  title: 'Title',
  journal_name: 'Journal',
  publication_date: 'Publication date',
  doi_link: 'DOI link',
  evidence_level: 'Evidence level',
  authors: 'Authors',
  abstract: 'Abstract',
  summary: 'Summary',
  insights: 'Insights',
  lifestyle_recommendations: 'Lifestyle recommendations',
  social_post: 'Social post',
  keywords: 'Keywords',
}
export const EDIT_NAMES = Object.keys(editValues.shape) as (keyof EditValues)[]

const orNull = (text: string) => text.trim() || null

/** Returns trimmed lines without empty ones. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/**
 * Returns the values of the edit form for a document. A field without a value is an empty text. Authors and insights have one
 * line for each item.
 */
export const valuesOf = (document: Omit<DocumentDetail, 'extracted_text'>): EditValues => ({
  title: document.title ?? '',
  doi_link: document.doi_link ?? '',
  publication_date: document.publication_date ? publicationDate(document.publication_date) : '',
  journal_name: document.journal_name ?? '',
  summary: document.summary ?? '',
  lifestyle_recommendations: document.lifestyle_recommendations ?? '',
  evidence_level: document.evidence_level ?? '',
  authors: document.authors.join('\n'),
  abstract: document.abstract ?? '',
  keywords: document.keywords,
  social_post: document.social_post ?? '',
  insights: document.insights.join('\n'),
})

/** Converts the values of the edit form to the body of the request that saves them. An empty text becomes null. */
export const patchOf = ({
  keywords,
  insights,
  authors,
  ...texts
}: EditValues): Required<Pick<DocumentPatch, keyof EditValues>> => ({
  title: orNull(texts.title),
  doi_link: orNull(texts.doi_link),
  publication_date: readDate(texts.publication_date),
  // The server finds the journal by name (case-insensitive) or creates it.
  journal_name: orNull(texts.journal_name),
  summary: orNull(texts.summary),
  lifestyle_recommendations: orNull(texts.lifestyle_recommendations),
  evidence_level: orNull(texts.evidence_level),
  social_post: orNull(texts.social_post),
  abstract: orNull(texts.abstract),
  authors: linesOf(authors),
  keywords,
  insights: insightsFromText(insights),
})

/** Returns the names of the form fields whose values differ between `before` and `now`. */
export const changedNames = (before: EditValues, now: EditValues) =>
  EDIT_NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))

/** Returns the values of the form's fields that a metadata look-up can fill. */
export const factsOf = (values: EditValues): LookedUpFields => ({
  title: orNull(values.title),
  doi_link: orNull(values.doi_link),
  publication_date: readDate(values.publication_date),
  journal_name: orNull(values.journal_name),
  authors: linesOf(values.authors),
  abstract: orNull(values.abstract),
})

/**
 * Returns the fields whose value in the form is still the value that the user chose in the metadata look-up. If the chosen date
 * has no day, the form cannot show it; the field `publication_date` is then returned if it is still empty.
 */
export function lookedUpNames(values: EditValues, chosen: Chosen | null): (keyof LookedUpFields)[] {
  if (!chosen) return []
  const facts = factsOf(values)
  const fields = { ...chosen.fields, ...(chosen.reference.issued && { publication_date: null }) }
  const names = Object.keys(fields) as (keyof LookedUpFields)[]
  return names.filter((name) => JSON.stringify(facts[name]) === JSON.stringify(fields[name]))
}

/**
 * Returns the hint for the empty field of the publication date if the reference has a less exact date, such as a year;
 * otherwise undefined.
 */
export function dateHint({ publication_date, reference }: DocumentDetail): string | undefined {
  const date = publication_date ? null : dateText(reference.issued)
  return date ? `Now “${date}”, from the reference. A new date replaces it.` : undefined
}
