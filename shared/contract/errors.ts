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

/** The error (403) for a user without admin rights who requests an action of admins. */
export const ADMINS_ONLY = 'Only admins may do this.'

export const UNKNOWN_ERROR = 'An unknown error occurred.'

/**
 * The error (409, 'changed') for a change of a row whose latest values the caller has not seen. FIELD_CHANGED is the error of
 * each field concerned.
 */
export const CHANGED_MEANWHILE = 'Someone else changed this in the meantime. Choose the values to keep.'
export const FIELD_CHANGED = 'Someone else changed this field in the meantime.'

/** Text for an error without a message. */
export const NO_MESSAGE = 'Unknown error occurred'
