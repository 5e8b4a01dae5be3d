import { z } from 'zod'
import { RECORD_OUTCOMES } from '#shared/contract/address-values.ts'

/** Rows per page of both lists. */
export const PAGE_SIZES = [10, 20, 50, 100] as const
export const PAGE_SIZE = 20

const page = z.coerce.number().int().min(2).optional().catch(undefined)
const limit = z.coerce
  .number()
  .refine((size) => (PAGE_SIZES as readonly number[]).includes(size))
  .optional()
  .catch(undefined)

/** The page of the list of imports, in the address. */
export const importsSearch = z.object({ page, limit })
export type ImportsSearch = z.infer<typeof importsSearch>

/** The page of the records of an import and their outcome, in the address. */
export const importSearch = z.object({ page, limit, outcome: z.enum(RECORD_OUTCOMES).optional().catch(undefined) })
export type ImportSearch = z.infer<typeof importSearch>
