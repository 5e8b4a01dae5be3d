import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { auditEntry } from '#shared/contract/audit.ts'
import { api } from '#shared/contract/paths.ts'
import { page, request } from '#web/lib/api.ts'
import type { AuditSearch } from './search.ts'

export const AUDIT_PAGE_SIZE = 50

/** Query: a page of the audit log. The previous page stays visible while the next one loads. */
export const auditQuery = ({ search, kind, days, page: at = 1, limit = AUDIT_PAGE_SIZE }: AuditSearch) =>
  queryOptions({
    queryKey: ['admin-audit', { search, kind, days, at, limit }],
    queryFn: ({ signal }) =>
      request(
        api.adminAudit({
          search: search?.trim() ?? '',
          ...(kind ? { kind } : {}),
          ...(days ? { from: startOf(Number(days)) } : {}),
          page: at,
          limit,
        }),
        { schema: page(auditEntry), signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Returns the start of the `days` days that end today in the local time zone, as a time in UTC. */
function startOf(days: number): string {
  const start = new Date()
  start.setDate(start.getDate() - days + 1)
  start.setHours(0, 0, 0, 0)
  return start.toISOString()
}
