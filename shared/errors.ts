import { z } from 'zod'

/** The body of every refused or failed call under /api. `fields` maps a field's name to what is wrong with it. */
export const apiError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
})
export type ApiErrorBody = z.infer<typeof apiError>

/** The refusal (403) of everything that only admins may do. */
export const ADMINS_ONLY = 'Only admins may do this.'

export const UNKNOWN_ERROR = 'An unknown error occurred.'

/** Said of an error that says nothing itself. */
export const NO_MESSAGE = 'Unknown error occurred'
