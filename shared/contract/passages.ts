import { z } from 'zod'

/**
 * The document fields that an analysis fills. For each statement in these fields, the supporting passage of the text is stored.
 */
export const passageField = z.enum([
  'title',
  'authors',
  'doi_link',
  'publication_date',
  'journal_name',
  'summary',
  'insights',
  'lifestyle_recommendations',
  'evidence_level',
  'keywords',
  'social_post',
])
export type PassageField = z.infer<typeof passageField>

/** How a quote matches the text: exactly, by its letters and digits only, approximately, or not at all. */
export const passageMatch = z.enum(['exact', 'letters', 'approximate', 'none'])
export type PassageMatch = z.infer<typeof passageMatch>

/**
 * A place in a document's text. `start` and `end` are UTF-16 offsets in the text of the page (see page-text.ts). Page and
 * offsets are null when `match` is 'none', and for a passage in the abstract of a paper without a PDF. `score` is 1 for
 * exact and letters, 0 to 1 for approximate, 0 for none.
 */
export const foundPassage = z.object({
  quote: z.string().nullable(),
  page: z.number().int().nullable(),
  start: z.number().int().nullable(),
  end: z.number().int().nullable(),
  match: passageMatch,
  score: z.number().min(0).max(1),
})
export type FoundPassage = z.infer<typeof foundPassage>

/**
 * The passage that supports one statement of an analysis. `item` is the index of the statement in the value of its field, from
 * 0.
 */
export const passage = foundPassage.extend({
  field: passageField,
  item: z.number().int().min(0),
  statement: z.string(),
})
export type Passage = z.infer<typeof passage>
