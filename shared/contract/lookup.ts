import { z } from 'zod'
import { calendarDay } from './calendar-day.ts'
import { documentRow } from './documents.ts'
import { isDoi } from './doi.ts'
import { job } from './jobs.ts'
import { type Reference, reference } from './references.ts'
import { storableText } from '../text/storable-text.ts'

const text = (max: number) => z.string().trim().max(max).transform(storableText)
const address = z.url({ protocol: /^https?$/, error: 'Only http and https addresses can be read.' }).max(2000)

/** Body of POST /api/papers: metadata of a paper without a file. */
export const paperInput = z.object({
  project_id: z.uuid(),
  title: text(2000).refine(Boolean, 'Title is required'),
  doi: text(500).refine(isDoi, 'This is not a DOI. A DOI looks like 10.1000/182.').nullable().optional(),
  authors: z.array(text(300).refine(Boolean)).max(3000).default([]),
  journal: text(500).nullable().optional(),
  date: calendarDay.nullable().optional().describe('date of publication'),
  abstract: text(50_000).nullable().optional(),
  link: address.nullable().optional().describe('web page of the paper'),
  pdf_url: address.nullable().optional().describe('possible address of the PDF; tried first'),
})

/** Response of POST /api/papers. If the project has the paper, `created` is false and `document` is the existing one. */
export const addedPaper = z.object({
  document: documentRow,
  created: z.boolean(),
  job: job
    .nullable()
    .describe('the search for its open-access PDF; null for an existing paper and without a DOI or an address'),
})
export type AddedPaper = z.infer<typeof addedPaper>

/** The services that are queried for the metadata of a paper. */
export const METADATA_SOURCES = ['OpenAlex', 'Crossref'] as const
export const metadataSource = z.enum(METADATA_SOURCES)
export type MetadataSource = z.infer<typeof metadataSource>

/** Fields of a reference that metadata services fill and that have no column of their own in the documents table. */
export const LOOKED_UP_FIELDS = [
  'type',
  'volume',
  'issue',
  'page',
  'container-title-short',
  'publisher',
  'publisher-place',
  'event-title',
  'ISSN',
  'ISBN',
  'PMID',
] as const
export type LookedUpField = (typeof LOOKED_UP_FIELDS)[number]
const lookedUpReference = reference
  .pick({
    ...(Object.fromEntries(LOOKED_UP_FIELDS.map((name) => [name, true])) as Record<LookedUpField, true>),
    issued: true,
  })
  .partial()
export type LookedUpReference = z.infer<typeof lookedUpReference>

/**
 * Returns those fields of `known` that are in LOOKED_UP_FIELDS and have a value. `known` is the reference that a metadata
 * service returned. Omits the type 'document', because it means an unknown type.
 */
export const lookedUpFields = (known: Partial<Reference>): LookedUpReference =>
  Object.fromEntries(
    LOOKED_UP_FIELDS.filter((name) => known[name] && known[name] !== 'document').map((name) => [name, known[name]]),
  )

/** Metadata of a paper from one service. Missing values are null or empty. */
export const paperFacts = z.object({
  title: z.string(),
  doi_link: z.string().nullable(),
  publication_date: z.string().nullable(),
  journal_name: z.string().nullable(),
  authors: z.array(z.string()),
  abstract: z.string().nullable(),
  reference: lookedUpReference.describe(
    'other fields by their names in CSL; `issued` only if the service has no full date',
  ),
})
export type PaperFacts = z.infer<typeof paperFacts>

/** One paper, with the metadata from each service that has it. */
export const foundPaper = z.object({
  said: z.array(z.object({ source: metadataSource, facts: paperFacts })).min(1),
  semantic_paperid: z.string().nullable().describe('the id at OpenAlex'),
  retracted: z.boolean(),
  likeness: z.number().describe('1 for a match of the DOI, otherwise the share of the requested title that matches'),
})
export type FoundPaper = z.infer<typeof foundPaper>

/** Query parameters of GET /api/documents/{id}/lookup. */
export const lookupQuery = z.object({
  query: z
    .string()
    .trim()
    .max(2000)
    .optional()
    .describe('a DOI or a title; default: the DOI or the title of the document'),
})
export const lookupAnswer = z.object({
  query: z.string(),
  by: z.enum(['doi', 'title']),
  papers: z.array(foundPaper).describe('best match first'),
  failures: z.array(z.object({ source: metadataSource, message: z.string() })),
})
export type LookupAnswer = z.infer<typeof lookupAnswer>
