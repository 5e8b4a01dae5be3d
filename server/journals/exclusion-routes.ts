import { z } from '@hono/zod-openapi'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { bulkExclusion, bulkExclusionInput, excludedJournal, exclusionInput } from '#shared/contract/journals.ts'
import { excludeJournal, excludeJournals, listExcluded, removeExclusion } from './exclusions.ts'

export const exclusionRoutes = createRouter()
const tags = ['Administration']

exclusionRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/excluded-journals',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: z.object(pageQuery) },
    responses: { 200: many(excludedJournal, 'The exclusion list, the latest entry first'), ...refusals },
  }),
  async (c) => c.json(await listExcluded(actorOf(c), sliceOf(c.req.valid('query'))), 200),
)

exclusionRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/excluded-journals',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(exclusionInput),
    responses: { 201: one(excludedJournal, 'The entry'), 409: refusal('The journal is excluded already'), ...refusals },
  }),
  async (c) => c.json({ data: await excludeJournal(actorOf(c), c.req.valid('json')) }, 201),
)

exclusionRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/excluded-journals/bulk',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(bulkExclusionInput),
    responses: { 200: one(bulkExclusion, 'The result for each journal'), ...refusals },
  }),
  async (c) => {
    const { journal_ids, reason } = c.req.valid('json')
    return c.json({ data: await excludeJournals(actorOf(c), journal_ids, reason ?? undefined) }, 200)
  },
)

exclusionRoutes.openapi(
  defineRoute({
    method: 'delete',
    path: '/admin/excluded-journals/{id}',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Excluded journal'),
    responses: { 204: { description: 'Visible again' }, ...refusals },
  }),
  async (c) => {
    await removeExclusion(actorOf(c), c.req.valid('param').id)
    return c.body(null, 204)
  },
)
