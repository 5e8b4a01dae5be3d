import { z } from 'zod'

/** The document fields whose statements carry passages. */
export const passageField = z.enum([
  'title',
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

/** How a passage was found: letter for letter, on letters and digits only, approximately, or not at all. */
export const passageMatch = z.enum(['exact', 'letters', 'approximate', 'none'])
export type PassageMatch = z.infer<typeof passageMatch>

/**
 * A place in a document's text. `start` and `end` are UTF-16 offsets in that page's text (see page-text.ts); all four
 * are null when `match` is 'none'. `score` is 1 for exact and letters, the stated likeness (0..1) for approximate, 0 for none.
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

/** The passage on which one statement of an analysis rests. `item` is the position of the statement inside its field. */
export const passage = foundPassage.extend({
  field: passageField,
  item: z.number().int().min(0),
  statement: z.string(),
})
export type Passage = z.infer<typeof passage>
