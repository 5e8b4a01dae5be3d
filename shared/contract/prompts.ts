import { z } from 'zod'
import { analysisResult } from './analysis.ts'

export const prompt = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  model: z.string(),
  prompt: z.string(),
  default: z.boolean(),
  version: z.number().int().describe('increases when the text or the model changes'),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Prompt = z.infer<typeof prompt>

const name = z
  .string()
  .trim()
  .min(1, 'Please give the prompt a name.')
  .max(200, 'Enter a name of at most 200 characters.')
const description = z.string().trim().max(2000, 'Enter a description of at most 2,000 characters.').nullable()
const model = z.string().trim().min(1, 'Please choose a model.').max(200)
const text = z
  .string()
  .trim()
  .min(1, 'Please write the prompt.')
  .max(50_000, 'Enter a prompt of at most 50,000 characters.')

/** Body of POST /api/prompts. With `default: true`, the new prompt becomes the default prompt. */
export const promptInput = z.object({
  name,
  description: description.default(null),
  model,
  prompt: text,
  default: z.boolean().default(false),
})
export type PromptInput = z.input<typeof promptInput>

/**
 * Body of PATCH /api/prompts/{id}. With `version`, the response is 409 'changed' if a field of the patch was changed to another
 * value since that version.
 */
export const promptPatch = z
  .object({ name, description, model, prompt: text, default: z.boolean(), version: z.number().int().min(1) })
  .partial()
export type PromptPatch = z.infer<typeof promptPatch>

/** A version of a prompt. It stays stored after the prompt is changed or deleted. */
export const promptVersion = z.object({
  id: z.uuid(),
  prompt_id: z.uuid().nullable().describe('null if the prompt was deleted'),
  version: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  model: z.string(),
  prompt: z.string(),
  created_at: z.string(),
  saved_by: z.string().nullable().describe('name or e-mail address of the author; for admins only'),
})
export type PromptVersion = z.infer<typeof promptVersion>

/** Body of POST /api/prompts/try: tests an unsaved prompt on a document of the caller. */
export const promptTrial = z.object({ document_id: z.uuid(), prompt: text, model })
export type PromptTrial = z.infer<typeof promptTrial>

/** Result and cost of a prompt trial. The document does not change. */
export const trialResult = z.object({
  result: analysisResult,
  model: z.string(),
  statements: z.number().int(),
  found: z.number().int().describe('statements whose quote was found in the text'),
  tokens_in: z.number().int(),
  tokens_out: z.number().int(),
  cost_usd: z.number(),
  milliseconds: z.number().int(),
})
export type TrialResult = z.infer<typeof trialResult>

/** The built-in model. It is always available and quotes the text instead of generating new text. */
export const BUILT_IN_MODEL = { id: 'built-in', name: 'Built-in (offline, extractive)' } as const

/** Returns the display name of a model: a name for the built-in model, the id for models of a provider. */
export const modelName = (id: string) => (id === BUILT_IN_MODEL.id ? BUILT_IN_MODEL.name : id)

/**
 * The value of `model` for prompts that use the default model of the server: the provider's chat model, or the built-in model.
 */
export const DEFAULT_MODEL = { id: 'default', name: 'Default model of this server' } as const
