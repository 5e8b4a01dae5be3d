import { z } from 'zod'

/** The item types of CSL 1.0.2. */
export const CSL_TYPES = [
  'article',
  'article-journal',
  'article-magazine',
  'article-newspaper',
  'bill',
  'book',
  'broadcast',
  'chapter',
  'classic',
  'collection',
  'dataset',
  'document',
  'entry',
  'entry-dictionary',
  'entry-encyclopedia',
  'event',
  'figure',
  'graphic',
  'hearing',
  'interview',
  'legal_case',
  'legislation',
  'manuscript',
  'map',
  'motion_picture',
  'musical_score',
  'pamphlet',
  'paper-conference',
  'patent',
  'performance',
  'periodical',
  'personal_communication',
  'post',
  'post-weblog',
  'regulation',
  'report',
  'review',
  'review-book',
  'software',
  'song',
  'speech',
  'standard',
  'thesis',
  'treaty',
  'webpage',
] as const
export const cslType = z.enum(CSL_TYPES)

/** A name of CSL: family and given name with their particles, or one literal name of a person or an organisation. */
export const cslName = z.object({
  family: z.string().optional(),
  given: z.string().optional(),
  'dropping-particle': z.string().optional(),
  'non-dropping-particle': z.string().optional(),
  suffix: z.string().optional(),
  literal: z.string().optional(),
})
export type CslName = z.infer<typeof cslName>

/**
 * A date of CSL. `date-parts` has one list of year, month and day, or two for a range; month and day may be missing. A date in
 * words is in `literal` or `raw`.
 */
export const cslDate = z.object({
  'date-parts': z.array(z.array(z.number().int()).min(1).max(3)).min(1).max(2).optional(),
  season: z.number().int().min(1).max(4).optional(),
  circa: z.boolean().optional(),
  literal: z.string().optional(),
  raw: z.string().optional(),
})
export type CslDate = z.infer<typeof cslDate>

export const CSL_NAME_FIELDS = [
  'author',
  'chair',
  'collection-editor',
  'compiler',
  'composer',
  'container-author',
  'contributor',
  'curator',
  'director',
  'editor',
  'editorial-director',
  'editor-translator',
  'executive-producer',
  'guest',
  'host',
  'illustrator',
  'interviewer',
  'narrator',
  'organizer',
  'original-author',
  'performer',
  'producer',
  'recipient',
  'reviewed-author',
  'script-writer',
  'series-creator',
  'translator',
] as const

export const CSL_DATE_FIELDS = [
  'accessed',
  'available-date',
  'event-date',
  'issued',
  'original-date',
  'submitted',
] as const

/** The text and number fields of CSL 1.0.2. Every value is text: a number is stored as its digits. */
export const CSL_TEXT_FIELDS = [
  'abstract',
  'annote',
  'archive',
  'archive_collection',
  'archive_location',
  'archive-place',
  'authority',
  'call-number',
  'chapter-number',
  'citation-key',
  'collection-number',
  'collection-title',
  'container-title',
  'container-title-short',
  'dimensions',
  'division',
  'DOI',
  'edition',
  'event-place',
  'event-title',
  'genre',
  'ISBN',
  'ISSN',
  'issue',
  'journalAbbreviation',
  'jurisdiction',
  'keyword',
  'language',
  'license',
  'medium',
  'note',
  'number',
  'number-of-pages',
  'number-of-volumes',
  'original-publisher',
  'original-publisher-place',
  'original-title',
  'page',
  'page-first',
  'part-number',
  'part-title',
  'PMCID',
  'PMID',
  'printing-number',
  'publisher',
  'publisher-place',
  'references',
  'reviewed-genre',
  'reviewed-title',
  'scale',
  'section',
  'source',
  'status',
  'supplement-number',
  'title',
  'title-short',
  'URL',
  'version',
  'volume',
  'volume-title',
  'year-suffix',
] as const

type Fields<Name extends string, Value extends z.ZodType> = Record<Name, z.ZodOptional<Value>>
const each = <Name extends string, Value extends z.ZodType>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value.optional()])) as Fields<Name, Value>

/**
 * The bibliographic data of a paper: one item of csl-data.json 1.0.2. `keyword` has the keywords joined by '; '. `custom` has
 * the fields of a source that CSL does not define, under their names in the source.
 */
export const reference = z.object({
  id: z.string().optional(),
  type: cslType,
  ...each(CSL_TEXT_FIELDS, z.string()),
  ...each(CSL_NAME_FIELDS, z.array(cslName)),
  ...each(CSL_DATE_FIELDS, cslDate),
  custom: z.record(z.string(), z.unknown()).optional(),
})
export type Reference = z.infer<typeof reference>
