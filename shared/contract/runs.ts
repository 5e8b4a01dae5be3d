import { z } from 'zod'
import { RUN_KINDS } from './address-values.ts'
import { evidence } from './evidence.ts'

export type RunKind = (typeof RUN_KINDS)[number]
export const RUN_KIND_LABELS: Record<RunKind, string> = {
  analysis: 'Analysis',
  library_answer: 'Answer',
}
export const RUNS_PAGE_SIZE = 20
/** Maximum number of papers that a run (a recorded analysis or answer) lists with their titles. */
export const RUN_PAPERS_SHOWN = 100

export const RUN_STATUSES = ['running', 'completed', 'stopped', 'failed'] as const
export const runStatus = z.enum(RUN_STATUSES)
/** The origin of a run (a recorded analysis or answer): a screen, an assistant over MCP, or a call of the API with a key. */
export const RUN_VIAS = ['web', 'mcp', 'api'] as const
export type RunVia = (typeof RUN_VIAS)[number]

/**
 * The fixed input of a run (a recorded analysis or answer). Two runs with equal model, settings, prompt, code version and input
 * have the same output.
 */
export const runInput = z.object({
  documents: z.array(z.object({ id: z.uuid(), text_version: z.number().int() })),
  question: z.string().optional(),
  /** Further values that determine the output, for example the scope and the turns before a question. */
  options: z.record(z.string(), z.unknown()).default({}),
})
export type RunInput = z.infer<typeof runInput>

/**
 * One value in the output of a run (a recorded analysis or answer), for the comparison of two runs. Values with an equal `key`
 * are compared with each other. Several values of a run can have the same key, for example the sentences of an answer: a
 * comparison then pairs the most similar values.
 */
export const runValue = z.object({
  key: z.string(),
  label: z.string().describe("as in 'Main result'"),
  of: z.string().nullable().describe('the paper of the value, in short form'),
  text: z.string().describe('of a sentence of an answer over a project: with its doubts in parentheses'),
  evidence: z.array(evidence.omit({ prefix: true, suffix: true }).partial({ text_version: true })),
})
export type RunValue = z.infer<typeof runValue>

export const run = z.object({
  id: z.uuid(),
  number: z.number().int().describe('counts the runs of the project'),
  project_id: z.uuid(),
  created_by: z.object({ id: z.string(), name: z.string() }).nullable(),
  via: z.enum(RUN_VIAS),
  key_name: z.string().nullable().describe('the name of the API key'),
  kind: z.enum(RUN_KINDS),
  title: z.string().describe('the question, or the title of the paper'),
  is_private: z.boolean().describe('hidden from other members'),
  model: z.string(),
  status: runStatus,
  error: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  papers: z.number().int().describe('of an answer over a project: the papers in its scope'),
  papers_read: z.number().int().describe('papers whose text the model received'),
  tokens_in: z.number().int(),
  tokens_out: z.number().int(),
  cost_usd: z.number(),
  cached: z.boolean().describe('the output of an earlier run was used'),
  stored_from: z.object({ id: z.uuid(), number: z.number().int() }).nullable().describe('that run'),
})
export type Run = z.infer<typeof run>

export const runDetails = run.extend({
  model_settings: z.record(z.string(), z.unknown()),
  prompt_version_id: z.uuid().nullable(),
  prompt: z.object({ name: z.string(), version: z.number().int() }).nullable().describe('of the prompt library'),
  prompt_text: z.string(),
  prompt_text_hash: z.string(),
  code_version: z.string(),
  input: runInput,
  read_papers: z
    .array(z.object({ id: z.uuid(), text_version: z.number().int(), title: z.string().nullable() }))
    .describe(`the first ${RUN_PAPERS_SHOWN} papers; without a title if the caller does not read the paper now`),
  values: z.array(runValue),
})
export type RunDetails = z.infer<typeof runDetails>

/** Query parameters of GET /api/projects/{id}/runs, which lists the runs (recorded analyses and answers) of a project. */
export const runsQuery = z.object({
  kind: z.enum(RUN_KINDS).optional(),
  person: z.string().max(200).optional().describe('the id of the user that started the runs'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(RUNS_PAGE_SIZE),
})
export type RunsQuery = z.infer<typeof runsQuery>

/** Maximum number of runs (recorded analyses or answers) in an exported list. */
export const MOST_EXPORTED_RUNS = 10_000
/** Maximum number of runs (recorded analyses or answers) that a request for an export chooses by their ids. */
export const MOST_CHOSEN_RUNS = 100

const ids = z.array(z.uuid()).max(MOST_CHOSEN_RUNS)
/** Query parameters of GET /api/projects/{id}/runs/export: filters and the format of the file. */
export const runsExportQuery = runsQuery.pick({ kind: true, person: true }).extend({
  id: z
    .union([ids, z.uuid().transform((id) => [id])])
    .optional()
    .describe('the ids of the runs; without it, all runs'),
  format: z.enum(['json', 'csv']),
})

/** Response of GET /api/projects/{id}/runs, which lists the runs (recorded analyses and answers) of a project. */
export const runList = z.object({
  data: z.array(run),
  count: z.number().int(),
  people: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe('the users that started runs of the project'),
})
export type RunList = z.infer<typeof runList>

/**
 * A part of a text in the comparison of two runs (recorded analyses or answers). `differs` is true if the corresponding text of
 * the other run lacks this part.
 */
export const diffPart = z.object({ text: z.string(), differs: z.boolean() })
export type DiffPart = z.infer<typeof diffPart>

/** Returns the whole text: the parts joined. */
export const joinParts = (parts: readonly DiffPart[]) => parts.map(({ text }) => text).join('')

const comparedQuote = runValue.shape.evidence.element
  .pick({ document_id: true, page: true, start: true, end: true, match: true })
  .extend({ quote: z.array(diffPart) })
const comparedValue = z.object({ text: z.array(diffPart), evidence: z.array(comparedQuote) })
export type ComparedValue = z.infer<typeof comparedValue>

/**
 * States of a value in the comparison of two runs (recorded analyses or answers), `one` and `other`. 'changed': both runs have
 * the value, and its text differs. 'only one' and 'only other': only this run has the value.
 */
export const COMPARED_STATES = ['changed', 'only one', 'only other', 'equal'] as const
export const comparedRow = z.object({
  state: z.enum(COMPARED_STATES),
  has_other_quotes: z.boolean().describe('the quotes of the value differ, also if its text is equal'),
  label: z.string(),
  of: z.string().nullable(),
  one: comparedValue.nullable(),
  other: comparedValue.nullable(),
  why_missing: z
    .enum(['paper', 'passage'])
    .nullable()
    .describe('a value of one run only: the other run did not read the quoted papers or passages; null if unknown'),
})
export type ComparedRow = z.infer<typeof comparedRow>

/** Returns whether both runs (recorded analyses or answers) have the same value with other quotes. */
export const hasOnlyOtherQuotes = ({ state, has_other_quotes }: Pick<ComparedRow, 'state' | 'has_other_quotes'>) =>
  state === 'equal' && has_other_quotes

/** Inputs of two runs (recorded analyses or answers) that a comparison compares. */
const DIFFERING_INPUTS = [
  'model',
  'model_settings',
  'prompt',
  'papers',
  'texts',
  'question',
  'scope',
  'retracted',
  'turns',
  'code_version',
] as const

/** Query parameters of GET /api/runs/compare: the ids of the two runs (recorded analyses or answers) to compare. */
export const runPair = z.object({ one: z.uuid('Run not found'), other: z.uuid('Run not found') })
export type RunPair = z.infer<typeof runPair>

const comparedRun = runDetails
  .omit({ values: true, input: true })
  .extend({ options: runInput.shape.options.describe('as in the input of the run') })
export const runComparison = z.object({
  one: comparedRun,
  other: comparedRun,
  differing: z
    .array(z.enum(DIFFERING_INPUTS))
    .describe(
      "inputs that differ; 'texts': the versions of the texts of the same papers; 'turns': the questions and answers before the question",
    ),
  only_in: z
    .object({ one: runDetails.shape.read_papers, other: runDetails.shape.read_papers })
    .describe(`papers that only one of the runs read, at most ${RUN_PAPERS_SHOWN} each`),
  prompts: z
    .object({ one: z.array(diffPart), other: z.array(diffPart) })
    .nullable()
    .describe('the texts of the prompts; null if they are equal'),
  counts: z.object({
    changed: z.number().int(),
    only_one: z.number().int(),
    equal: z.number().int(),
    other_quotes: z.number().int().describe('equal values with other quotes, which also count as equal'),
  }),
  rows: z.array(comparedRow),
})
export type RunComparison = z.infer<typeof runComparison>

export const DIFFERENT_KINDS = 'Choose two runs of the same kind.'
/** Formats of the exports of a run (a recorded analysis or answer) and of a comparison of two runs. */
export const runExportFormat = runsExportQuery.shape.format
