import { z } from 'zod'

/** Name of the folder in DATA_DIR in which `npm run evaluate` stores its results: a JSON file for each evaluated model. */
export const EVALUATIONS_FOLDER = 'evaluations'

const count = z.number().int().min(0)
const share = z.number().min(0).max(1).nullable()

/**
 * The result of `npm run evaluate` for one model: how well the model answers test questions about invented papers. A share
 * (from 0 to 1) is null if there are no questions of its kind. An incomplete run of the command stores no result.
 */
export const evaluation = z.object({
  model: z.string().describe('the model of the answers'),
  embedding_model: z.string().nullable().describe('the model of the vectors; null: search by words only'),
  provider: z.string().nullable().describe('host of the provider; null for the built-in models'),
  measured_at: z.iso.datetime(),
  version: z.string().describe('version of the server'),
  half: z.enum(['all', 'development', 'unseen']).describe('half of the questions'),
  questions: count,
  unanswerable: count.describe('questions without an answer in the paper'),
  hit_at_3: share.describe('answerable questions with the gold quote in the first three passages'),
  gold_answers: share.describe('answers with the gold words'),
  refused: share.describe('refused unanswerable questions'),
  wrongly_refused: share.describe('refused answerable questions'),
  sentences: count.describe('sentences of all answers'),
  sentences_found: count.describe('sentences with a passage in the text of the paper'),
  tokens_in: count,
  tokens_out: count,
  cost_usd: z.number().min(0).nullable().describe('null if the price of a model is unknown'),
  seconds_per_answer: z.number().min(0).describe('median'),
  seconds: z.number().min(0).describe('whole run, with extraction and vectors'),
})
export type Evaluation = z.infer<typeof evaluation>
