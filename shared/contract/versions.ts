import { z } from 'zod'

/** The version of an editable row. It rises with each change of a field that users can edit. */
export const rowVersion = z.number().int().describe('rises with each change of a field that users can edit')

/**
 * The version that the caller of a PATCH has seen. If others changed fields of the patch since, the answer is 409 'changed'.
 * Without it the patch replaces all values.
 */
export const seenVersion = z
  .number()
  .int()
  .describe('the version that you saw: fields that others changed since answer 409 with the code changed')
