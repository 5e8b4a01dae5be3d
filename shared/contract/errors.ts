import { z } from 'zod'

/** Body of every error response under /api. `fields` maps the name of a field to its error. */
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

/** Text for an error without a message. */
export const NO_MESSAGE = 'Unknown error occurred'
