import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { AUDIT_KIND_NAMES, auditEntry } from '#shared/contract/audit.ts'
import { api } from '#shared/contract/paths.ts'
import { page, request } from '#web/lib/api.ts'

export const AUDIT_PAGE_SIZE = 50
export const AUDIT_PAGE_SIZES = [20, 50, 100, 200] as const
/** Time ranges of the log, in days. */
export const SPANS = ['1', '7', '30', '365'] as const
const DAY_MS = 86_400_000

/** Log filters in the address. */
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

/** A page of the log. The previous page stays visible while the next one loads. */
export const auditQuery = ({ search, kind, days, page: at = 1, limit = AUDIT_PAGE_SIZE }: AuditSearch) =>
  queryOptions({
    queryKey: ['admin-audit', { search, kind, days, at, limit }],
    queryFn: ({ signal }) =>
      request(
        api.adminAudit({
          search: search?.trim() ?? '',
          ...(kind ? { kind } : {}),
          ...(days ? { from: firstDay(Number(days)) } : {}),
          page: at,
          limit,
        }),
        { schema: page(auditEntry), signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Returns the first day, in UTC, of a range that ends today. */
const firstDay = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
