import { z } from 'zod'
import { RECORD_OUTCOMES } from './address-values.ts'
import { importRow } from './imports.ts'

/**
 * An import record (a reference in an imported file) that belongs to a paper: it created the paper, or was recognized as a
 * duplicate of it.
 */
export const paperRecord = importRow.pick({ kind: true, source_name: true, filename: true, created_at: true }).extend({
  id: z.uuid(),
  import_id: z.uuid(),
  position: z.number().int().describe('place in the import, from 1'),
  outcome: z.enum(RECORD_OUTCOMES),
})
export type PaperRecord = z.infer<typeof paperRecord>
