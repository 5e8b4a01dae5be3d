import { z } from 'zod'

export const prompt = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  model: z.string(),
  prompt: z.string(),
  default: z.boolean(),
  created_at: z.string(),
})
export type Prompt = z.infer<typeof prompt>

/** The model that is always there: quotes, never generates. */
export const BUILT_IN_MODEL = { id: 'built-in', name: 'Built-in (offline, extractive)' } as const

/** A model as people read it: the built-in one by its name, a provider's by its id. */
export const modelName = (id: string) => (id === BUILT_IN_MODEL.id ? BUILT_IN_MODEL.name : id)

/** A prompt with this model uses whatever the server is set to: the provider's chat model, or the built-in one. */
export const DEFAULT_MODEL = { id: 'default', name: 'Default model of this server' } as const
