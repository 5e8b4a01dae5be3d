import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { idOf, one, refusals } from '#server/http/respond.ts'
import { actorOf, type AppContext, createRouter } from '#server/http/router.ts'
import {
  runComparison,
  runDetails,
  runExportFormat,
  runList,
  runPair,
  runsExportQuery,
  runsQuery,
} from '#shared/contract/runs.ts'
import { comparisonFile, type RunFile, runFile, runListFile } from './export-run.ts'
import { compareRuns, getRun, listAllRuns, listRuns } from './service.ts'

export const routes = createRouter()
const tags = ['Runs']
const format = z.object({ format: runExportFormat })
const file = (description: string) => ({
  200: { description, content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } } },
  ...refusals,
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/runs',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the runs of a project',
    request: { ...idOf('Project'), query: runsQuery },
    responses: {
      200: {
        description: 'A page, newest first, without private runs of other members',
        content: { 'application/json': { schema: runList } },
      },
      ...refusals,
    },
  }),
  async (c) => c.json(await listRuns(actorOf(c), c.req.valid('param').id, c.req.valid('query')), 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/runs/export',
    access: { role: 'read', body: 'none', limit: 'export', scope: 'read' },
    tags,
    summary: 'Export the list of runs of a project as JSON or CSV',
    request: { ...idOf('Project'), query: runsExportQuery },
    responses: file('The newest 10,000 runs, without private runs of other members'),
  }),
  async (c) => {
    const { format: kind, ...filters } = c.req.valid('query')
    return sendFile(c, runListFile(await listAllRuns(actorOf(c), c.req.valid('param').id, filters), kind))
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/runs/compare',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'Compare two runs of the same kind word by word',
    request: { query: runPair },
    responses: { 200: one(runComparison, 'The differing inputs, and each value of both runs'), ...refusals },
  }),
  async (c) => c.json({ data: await compareRuns(actorOf(c), c.req.valid('query')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/runs/compare/export',
    access: { role: 'read', body: 'none', limit: 'export', scope: 'read' },
    tags,
    summary: 'Export a comparison of two runs as JSON or CSV',
    request: { query: runPair.extend(format.shape) },
    responses: file('The comparison'),
  }),
  async (c) => {
    const { format: kind, ...pair } = c.req.valid('query')
    return sendFile(c, comparisonFile(await compareRuns(actorOf(c), pair), kind))
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/runs/{id}',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'Read a run with its inputs, its prompt and its values',
    request: idOf('Run'),
    responses: { 200: one(runDetails, 'The run'), ...refusals },
  }),
  async (c) => c.json({ data: await getRun(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/runs/{id}/export',
    access: { role: 'read', body: 'none', limit: 'export', scope: 'read' },
    tags,
    summary: 'Export a run as JSON, or its values as CSV',
    request: { ...idOf('Run'), query: format },
    responses: file('The run'),
  }),
  async (c) => sendFile(c, runFile(await getRun(actorOf(c), c.req.valid('param').id), c.req.valid('query').format)),
)

const sendFile = (c: AppContext, { name, type, body }: RunFile) =>
  c.body(body, 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  })
