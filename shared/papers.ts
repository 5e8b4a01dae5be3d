import { z } from 'zod'
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
  date: z.iso.date().nullable().optional().describe('the day of publication'),
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
