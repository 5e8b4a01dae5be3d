import { z } from 'zod'
import { analysisResult } from './analysis.ts'

export const prompt = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  model: z.string(),
  prompt: z.string(),
  default: z.boolean(),
  version: z.number().int().describe('counts the saves that changed its words or its model'),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Prompt = z.infer<typeof prompt>

const name = z.string().trim().min(1, 'Please give the prompt a name.').max(200, 'This name is too long.')
const description = z.string().trim().max(2000, 'This description is too long.').nullable()
const model = z.string().trim().min(1, 'Please choose a model.').max(200)
const text = z.string().trim().min(1, 'Please write the prompt.').max(50_000, 'This prompt is too long.')

/** POST /api/prompts. Marking it default takes the mark from the one that has it. */
export const promptInput = z.object({
  name,
  description: description.default(null),
  model,
  prompt: text,
  default: z.boolean().default(false),
})
export type PromptInput = z.input<typeof promptInput>

/** PATCH /api/prompts/{id}. With `version` the change is refused (409) when somebody else saved meanwhile. */
export const promptPatch = z
  .object({ name, description, model, prompt: text, default: z.boolean(), version: z.number().int().min(1) })
  .partial()
export type PromptPatch = z.infer<typeof promptPatch>

/** What a prompt said once; it stays when the prompt is changed or deleted. */
export const promptVersion = z.object({
  id: z.uuid(),
  prompt_id: z.uuid().nullable().describe('null where the prompt is deleted'),
  version: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  model: z.string(),
  prompt: z.string(),
  created_at: z.string(),
  saved_by: z.string().nullable().describe('the name or e-mail of who saved it, to admins'),
})
export type PromptVersion = z.infer<typeof promptVersion>

/** POST /api/prompts/try: an unsaved prompt, asked of one of the caller's own documents. */
export const promptTrial = z.object({ document_id: z.uuid(), prompt: text, model })
export type PromptTrial = z.infer<typeof promptTrial>

/** What a trial gave, and what it cost. Nothing of it is stored in the document. */
export const trialResult = z.object({
  result: analysisResult,
  model: z.string(),
  statements: z.number().int(),
  found: z.number().int().describe('statements whose words stand in the text'),
  tokens_in: z.number().int(),
  tokens_out: z.number().int(),
  cost_usd: z.number(),
  milliseconds: z.number().int(),
})
export type TrialResult = z.infer<typeof trialResult>

/** The model that is always there: quotes, never generates. */
export const BUILT_IN_MODEL = { id: 'built-in', name: 'Built-in (offline, extractive)' } as const

/** A model as people read it: the built-in one by its name, a provider's by its id. */
export const modelName = (id: string) => (id === BUILT_IN_MODEL.id ? BUILT_IN_MODEL.name : id)

/** A prompt with this model uses whatever the server is set to: the provider's chat model, or the built-in one. */
export const DEFAULT_MODEL = { id: 'default', name: 'Default model of this server' } as const
