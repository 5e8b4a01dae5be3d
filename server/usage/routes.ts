import { Readable } from 'node:stream'
import { z } from '@hono/zod-openapi'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  backendUsage,
  budgetInput,
  budgets,
  modelPrice,
  priceInput,
  priceRemoval,
  usageExport,
  usageOverview,
  usageQuery,
} from '#shared/contract/usage.ts'
import { readBackend } from './backend.ts'
import { listBudgets, setBudget } from './budgets.ts'
import { exportUsage } from './export.ts'
import { listPrices, removePrice, setPrice } from './prices.ts'
import { routes as projectBudgetRoutes } from './project-budget-routes.ts'
import { periodOf, readUsage } from './service.ts'

export const routes = createRouter()
routes.route('/', projectBudgetRoutes)
const tags = ['Administration']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/usage',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: usageQuery },
    responses: { 200: one(usageOverview, 'Tokens and cost by day, purpose, model and person'), ...refusals },
  }),
  async (c) => c.json({ data: await readUsage(actorOf(c), c.req.valid('query')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/usage/backend',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(backendUsage, 'Size and cost of the files and the database'), ...refusals },
  }),
  async (c) => c.json({ data: await readBackend(actorOf(c)) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/usage/export',
    access: { role: 'admin', body: 'none', limit: 'heavy', scope: 'none' },
    tags,
    request: { query: usageExport },
    responses: {
      200: {
        description: 'The usage as CSV: sums by day, person, model and purpose, or every call',
        content: { 'text/csv': { schema: z.string() } },
      },
      ...refusals,
    },
  }),
  (c) => {
    const { rows, bom, ...query } = c.req.valid('query')
    const period = periodOf(query)
    const lines = Readable.from(exportUsage(actorOf(c), period, { rows, hasBom: bom === '1' }), { objectMode: false })
    return c.body(Readable.toWeb(lines) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="usage-${rows}-${period.from}-${period.to}.csv"`,
    })
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/usage/prices',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: z.object(pageQuery) },
    responses: { 200: many(modelPrice, 'The price of every model, and its source'), ...refusals },
  }),
  async (c) => c.json(await listPrices(actorOf(c), sliceOf(c.req.valid('query'))), 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/admin/usage/prices',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(priceInput),
    responses: { 200: one(modelPrice, 'The price'), ...refusals },
  }),
  async (c) => c.json({ data: await setPrice(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/admin/usage/prices',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: priceRemoval },
    responses: { 204: { description: 'The list price of the model applies, or the default rate' }, ...refusals },
  }),
  async (c) => {
    const { model, reprice } = c.req.valid('query')
    await removePrice(actorOf(c), model, reprice === 'true')
    return c.body(null, 204)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/usage/budgets',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(budgets, 'The budgets of this month, and their use'), ...refusals },
  }),
  async (c) => c.json({ data: await listBudgets(actorOf(c)) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/admin/usage/budgets',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(budgetInput),
    responses: { 200: one(budgets, 'All budgets, including the change'), ...refusals },
  }),
  async (c) => c.json({ data: await setBudget(actorOf(c), c.req.valid('json')) }, 200),
)
