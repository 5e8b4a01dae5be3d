import { z } from 'zod'
import { calendarDay } from './calendar-day.ts'
import { documentRow } from './documents.ts'
import { isDoi } from './doi.ts'
import { job } from './jobs.ts'
import { storableText } from './storable-text.ts'

const text = (max: number) => z.string().trim().max(max).transform(storableText)
const address = z.url({ protocol: /^https?$/, error: 'Only http and https addresses can be read.' }).max(2000)

/** POST /api/papers: what is known of a paper that has no file yet. */
export const paperInput = z.object({
  project_id: z.uuid(),
  title: text(2000).refine(Boolean, 'Title is required'),
  doi: text(500).refine(isDoi, 'This is not a DOI.').nullable().optional(),
  authors: z.array(text(300).refine(Boolean)).max(3000).default([]),
  journal: text(500).nullable().optional(),
  date: calendarDay.nullable().optional().describe('the day of publication'),
  abstract: text(50_000).nullable().optional(),
  link: address.nullable().optional().describe('the page of the paper'),
  pdf_url: address.nullable().optional().describe('where its PDF may lie; tried first'),
})

/** What became of it: `created` is false when the project has this paper already, and `document` is that one then. */
export const addedPaper = z.object({
  document: documentRow,
  created: z.boolean(),
  job: job.nullable().describe('the search for its open-access PDF; null where there is nothing to go by'),
})
export type AddedPaper = z.infer<typeof addedPaper>

/** Who is asked what a paper is. */
export const METADATA_SOURCES = ['OpenAlex', 'Crossref'] as const
export const metadataSource = z.enum(METADATA_SOURCES)
export type MetadataSource = z.infer<typeof metadataSource>

/** What one service says of a paper; null or empty where it says nothing. */
export const paperFacts = z.object({
  title: z.string(),
  doi_link: z.string().nullable(),
  publication_date: z.string().nullable(),
  journal_name: z.string().nullable(),
  authors: z.array(z.string()),
  abstract: z.string().nullable(),
})
export type PaperFacts = z.infer<typeof paperFacts>

/** One paper as those services know it that know it. */
export const foundPaper = z.object({
  said: z.array(z.object({ source: metadataSource, facts: paperFacts })).min(1),
  semantic_paperid: z.string().nullable().describe('the id at OpenAlex'),
  retracted: z.boolean(),
  likeness: z
    .number()
    .describe('1 for the DOI that was asked for; else how much of the title that was asked for is the same'),
})
export type FoundPaper = z.infer<typeof foundPaper>

/** GET /api/documents/{id}/lookup. */
export const lookupQuery = z.object({
  query: z
    .string()
    .trim()
    .max(2000)
    .optional()
    .describe('a DOI or a title; without it what the document says of itself'),
})
export const lookupAnswer = z.object({
  query: z.string(),
  by: z.enum(['doi', 'title']),
  papers: z.array(foundPaper).describe('the likeliest first'),
  failures: z.array(z.object({ source: metadataSource, message: z.string() })),
})
export type LookupAnswer = z.infer<typeof lookupAnswer>
