import { z } from 'zod'
import { editedField } from './documents.ts'
import { IMPORT_KINDS } from './imports.ts'
import { reference } from './references.ts'
import { projectRight } from './roles.ts'

/** How similar two references are. An import joins (merges) `certain` pairs. The other pairs are shown to users, who decide. */
export const likeness = z.enum(['certain', 'suspected', 'preprint and article'])
export type Likeness = z.infer<typeof likeness>

/** The fields, besides the title, in which two references are compared to decide whether they are of the same paper. */
export const COMPARED_FIELDS = [
  'doi',
  'pmid',
  'pmcid',
  'arxiv',
  'isbn',
  'firstAuthor',
  'year',
  'volume',
  'firstPage',
] as const

/** Why two references are suspected to be of the same paper. */
export const resemblance = z.object({
  likeness,
  title_likeness: z.number().min(0).max(1).describe('1 minus the share of changed characters'),
  title_begins: z.boolean().describe('one title begins the other'),
  equal: z.array(z.enum(COMPARED_FIELDS)).describe('the fields with the same value'),
  years_apart: z.number().int().nullable().describe('null if a year is unknown'),
})
export type Resemblance = z.infer<typeof resemblance>

/**
 * GROUPS_PAGE_SIZE: default number of groups of suspected duplicates on a page. GROUP_PAPERS_MAX: maximum number of papers of a
 * group that are shown, and that one request can join (merge).
 */
export const GROUPS_PAGE_SIZE = 10
export const GROUP_PAPERS_MAX = 8

/** A paper of a group of suspected duplicates, with the values that the page shows side by side for comparison. */
export const duplicatePaper = z.object({
  id: z.uuid(),
  title: z.string().nullable(),
  filename: z.string(),
  reference,
  has_file: z.boolean(),
  page_count: z.number().int().nullable(),
  edited_fields: z.array(editedField),
  created_at: z.string(),
  source: z
    .object({ kind: z.enum(IMPORT_KINDS), source_name: z.string().nullable() })
    .nullable()
    .describe('the import of its first record'),
})
export type DuplicatePaper = z.infer<typeof duplicatePaper>

/** Papers of a project that are suspected to be the same. */
export const duplicateGroup = z.object({
  id: z.uuid(),
  because: resemblance.describe('the likeness of its most similar pair'),
  papers: z.array(duplicatePaper).max(GROUP_PAPERS_MAX).describe('oldest first'),
  paper_count: z.number().int().describe('also those that are left out because of their number'),
  keep_id: z.uuid().nullable().describe('the paper that a join keeps; null if several have a file'),
  is_later: z.boolean().describe("a member chose 'Later'"),
  may: z.array(projectRight).describe('the rights of the caller'),
})
export type DuplicateGroup = z.infer<typeof duplicateGroup>

/** A page of the groups of suspected duplicates, the most similar groups first. */
export const duplicateGroups = z.object({
  data: z.array(duplicateGroup),
  count: z.number().int(),
  compared: z
    .object({ count: z.number().int().describe('compared papers'), at: z.string() })
    .nullable()
    .describe('the last comparison, if there are no groups; null otherwise and before the first comparison'),
})
export type DuplicateGroups = z.infer<typeof duplicateGroups>

/** Query parameters of GET /api/duplicates. */
export const duplicatesQuery = z.object({
  project_id: z.uuid('Project not found'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(0).max(50).default(GROUPS_PAGE_SIZE),
})
export type DuplicatesQuery = z.output<typeof duplicatesQuery>

/**
 * The fields of a reference whose value the kept paper of a join (a merge of duplicates) can take from any of the papers: all
 * except the id and the citation key.
 */
const { id: _id, 'citation-key': _key, ...chosen } = reference.shape
export const joinedField = z.enum(Object.keys(chosen) as [keyof typeof chosen, ...(keyof typeof chosen)[]])
export type JoinedField = z.infer<typeof joinedField>

const someIds = z.array(z.uuid('Document not found')).max(GROUP_PAPERS_MAX)

/**
 * Body of the request that joins (merges) duplicate papers into one: the papers, and for each field the paper whose value
 * stays.
 */
export const joinInput = z.object({
  keep_id: z
    .uuid('Document not found')
    .nullish()
    .describe(
      'the paper that stays; without it, the paper with a file, else with the most filled fields, else the oldest',
    ),
  join_ids: someIds.min(1).describe('the papers that are moved to the trash'),
  fields: z
    .partialRecord(joinedField, z.uuid('Document not found'))
    .default({})
    .describe(
      'for each field, the paper whose value stays; otherwise the value of the paper that stays, if it has one',
    ),
})
export type JoinInput = z.output<typeof joinInput>

/** The result of a join (a merge of duplicate papers). The merge of each joined paper can be undone separately. */
export const joinResult = z.object({
  document_id: z.uuid().describe('the paper that stays'),
  joined: z.array(z.object({ id: z.uuid().describe('for the undo'), document_id: z.uuid() })),
})
export type JoinResult = z.infer<typeof joinResult>

/**
 * Body of three requests about a group of papers. POST /api/duplicates/refuse: no two of these papers are the same paper.
 * /accept: undoes /refuse. /later: the group is shown after the other groups.
 */
export const pairsInput = z.object({ ids: someIds.min(1) })

/** A paper that was joined with another paper: merged into it as a duplicate and moved to the trash. */
export const joinedPaper = z.object({
  id: z.uuid(),
  document_id: z.uuid().nullable().describe('the joined paper in the trash; null after it was deleted permanently'),
  title: z.string(),
  joined_at: z.string(),
  joined_by: z.string().nullable().describe('the name of the member'),
  can_undo: z.boolean().describe('for thirty days'),
  may: z.array(projectRight).describe('the rights of the caller'),
})
export type JoinedPaper = z.infer<typeof joinedPaper>

/** Messages of the errors that refuse a join (a merge of duplicate papers). */
export const BOTH_HAVE_FILES = 'Both papers have a file. Choose which one stays.'
export const FILE_STAYS = 'One of these papers has a file. Choose that one to stay.'
export const JOINED_MEANWHILE = 'One of these papers was joined, moved or deleted in the meantime.'
export const NOT_SAME_PROJECT = 'Only papers of one project can be joined.'
