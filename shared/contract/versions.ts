import { z } from 'zod'

/** The version of an editable row. It rises with each change of a field that users can edit. */
export const rowVersion = z.number().int().describe('rises with each change of a field that users can edit')

/**
 * The version of a row that the caller of a PATCH has seen. If others have changed fields of the patch since then, the response
 * is 409 'changed'. Without a version, the patch overwrites the changes of others.
 */
export const seenVersion = z
  .number()
  .int()
  .describe('the version that you saw: fields that others changed since answer 409 with the code changed')
