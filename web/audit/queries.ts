import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { auditEntry } from '#shared/contract/audit.ts'
import { api } from '#shared/contract/paths.ts'
import { page, request } from '#web/lib/api.ts'
import type { AuditSearch } from './search.ts'

export const AUDIT_PAGE_SIZE = 50
const DAY_MS = 86_400_000

/** Query: a page of the audit log. The previous page stays visible while the next one loads. */
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

/** Returns the first day, in UTC, of the `days` days that end today, as YYYY-MM-DD. */
const firstDay = (days: number) => new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)
