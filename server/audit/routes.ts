import { z } from '@hono/zod-openapi'
import { many, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { AUDIT_KIND_NAMES } from '#shared/contract/address-values.ts'
import { auditEntry } from '#shared/contract/audit.ts'
import { calendarDay, instant } from '#shared/contract/calendar-day.ts'
import { listAudit } from './service.ts'

export const routes = createRouter()

const auditQuery = z.object({
  kind: z.enum(AUDIT_KIND_NAMES).optional().describe('kind of subject'),
  search: z.string().trim().max(200).optional().describe('text in the names of people and subjects'),
  from: z.union([calendarDay, instant]).optional().describe('first day, in UTC, or first time'),
  to: calendarDay.optional().describe('last day, in UTC'),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/audit',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags: ['Administration'],
    request: { query: auditQuery },
    responses: { 200: many(auditEntry, 'The actions of administrators, latest first'), ...refusals },
  }),
  async (c) => {
    const { page, limit, ...filter } = c.req.valid('query')
    return c.json(await listAudit(actorOf(c), filter, page, limit), 200)
  },
)
