import { z } from 'zod'
import { RECORD_OUTCOMES } from '#shared/contract/address-values.ts'

/** Selectable numbers of rows per page for the lists of imports and of records. */
export const PAGE_SIZES = [10, 20, 50, 100] as const
export const PAGE_SIZE = 20

const page = z.coerce.number().int().min(2).optional().catch(undefined)
const limit = z.coerce
  .number()
  .refine((size) => (PAGE_SIZES as readonly number[]).includes(size))
  .optional()
  .catch(undefined)

/** Search parameters of the list of imports: page number and rows per page. */
export const importsSearch = z.object({ page, limit })
export type ImportsSearch = z.infer<typeof importsSearch>

/** Search parameters of the list of an import's records: page number, rows per page, and the outcome to show. */
export const importSearch = z.object({ page, limit, outcome: z.enum(RECORD_OUTCOMES).optional().catch(undefined) })
export type ImportSearch = z.infer<typeof importSearch>
