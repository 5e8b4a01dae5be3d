import { z } from 'zod'

/**
 * Body of every error response under /api. `fields` maps the name of a field to its error. `current`, only with the code
 * 'changed': the row as it is now.
 */
export const apiError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    current: z.record(z.string(), z.unknown()).optional(),
  }),
})
export type ApiErrorBody = z.infer<typeof apiError>

/** The refusal (403) of everything that only admins may do. */
export const ADMINS_ONLY = 'Only admins may do this.'

export const UNKNOWN_ERROR = 'An unknown error occurred.'

/** The refusal (409, 'changed') of a change whose caller has not seen the latest values, and the error of each field. */
export const CHANGED_MEANWHILE = 'Someone else changed this in the meantime. Choose the values to keep.'
export const FIELD_CHANGED = 'Someone else changed this field in the meantime.'

/** Text for an error without a message. */
export const NO_MESSAGE = 'Unknown error occurred'
