import { z } from 'zod'
import { AUDIT_KIND_NAMES } from '#shared/contract/address-values.ts'

export const AUDIT_PAGE_SIZES = [20, 50, 100, 200] as const
/** Selectable time ranges of the audit log, in days up to and including today. */
export const SPANS = ['1', '7', '30', '365'] as const

/** Search parameters of the audit log: search text, filters and page number. */
export const auditSearch = z.object({
  search: z.string().optional().catch(undefined),
  kind: z.enum(AUDIT_KIND_NAMES).optional().catch(undefined),
  days: z.enum(SPANS).optional().catch(undefined),
  page: z.coerce.number().int().min(2).optional().catch(undefined),
  limit: z.coerce
    .number()
    .refine((size) => (AUDIT_PAGE_SIZES as readonly number[]).includes(size))
    .optional()
    .catch(undefined),
})
export type AuditSearch = z.infer<typeof auditSearch>
