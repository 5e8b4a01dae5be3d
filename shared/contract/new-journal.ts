import { z } from 'zod'
import { JOURNAL_NAME_REQUIRED } from './journals.ts'

/** Maximum number of characters of the name of a journal that a user types. */
export const JOURNAL_NAME_MAX = 500

/** A journal to add: by its name, or by an admin with its feed. */
export const newJournal = z.object({
  name: z.string(JOURNAL_NAME_REQUIRED).trim().min(1, JOURNAL_NAME_REQUIRED).max(JOURNAL_NAME_MAX),
  url: z
    .string()
    .trim()
    .min(1, 'An address is required')
    .max(2000)
    .optional()
    .describe("the address of the journal's feed or home page; only for admins"),
})
