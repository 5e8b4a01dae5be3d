import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  duplicateGroups,
  duplicatesQuery,
  joinedPaper,
  joinInput,
  joinResult,
  pairsInput,
} from '#shared/contract/duplicates.ts'
import { job } from '#shared/contract/jobs.ts'
import { joinPapers } from './join-papers.ts'
import { lookForDuplicates } from './look-for-duplicates.ts'
import { acceptDuplicates, listDuplicates, postponeDuplicates, refuseDuplicates } from './service.ts'
import { listJoinedPapers, undoJoin } from './undo-join.ts'

export const routes = createRouter()
const tags = ['Duplicates']
const answered = z.object({ count: z.number().int().describe('changed pairs') })
const ofDocument = z.object({ document_id: z.uuid() })

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/duplicates',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the groups of suspected duplicates of a project',
    request: { query: duplicatesQuery },
    responses: {
      200: {
        description: "The most similar first, those for 'Later' last",
        content: { 'application/json': { schema: duplicateGroups } },
      },
      ...refusals,
    },
  }),
  async (c) => c.json(await listDuplicates(actorOf(c), c.req.valid('query')), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/duplicates/search',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Compare all papers of a project in the background',
    request: jsonBody(z.object({ project_id: z.uuid('Project not found') })),
    responses: { 202: one(job, 'The job; its result has the number of compared papers'), ...refusals },
  }),
  async (c) => c.json({ data: await lookForDuplicates(actorOf(c), c.req.valid('json').project_id) }, 202),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/duplicates/join',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Join papers: one stays, the others are moved to the trash',
    request: jsonBody(joinInput),
    responses: {
      200: one(joinResult, 'The paper that stays, and the ids for the undo'),
      409: refusal('A paper was joined or deleted in the meantime'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await joinPapers(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/duplicates/refuse',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Remember for each pair of papers that they are no duplicates',
    request: jsonBody(pairsInput),
    responses: { 200: one(answered, 'The number of pairs'), ...refusals },
  }),
  async (c) => c.json({ data: await refuseDuplicates(actorOf(c), c.req.valid('json').ids) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/duplicates/accept',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Undo the decision that papers are not duplicates',
    request: jsonBody(pairsInput),
    responses: { 200: one(answered, 'The number of pairs; they are compared in the background'), ...refusals },
  }),
  async (c) => c.json({ data: await acceptDuplicates(actorOf(c), c.req.valid('json').ids) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/duplicates/later',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Show a group of papers after the others',
    request: jsonBody(pairsInput),
    responses: { 200: one(answered, 'The number of pairs'), ...refusals },
  }),
  async (c) => c.json({ data: await postponeDuplicates(actorOf(c), c.req.valid('json').ids) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}/joined-papers',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the papers that were joined with a document',
    request: idOf('Document'),
    responses: { 200: many(joinedPaper, 'Newest first, without undone joins'), ...refusals },
  }),
  async (c) => {
    const data = await listJoinedPapers(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/joined-papers/{id}/undo',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    summary: 'Undo a join for thirty days',
    request: idOf('Joined paper'),
    responses: {
      200: one(ofDocument, 'The restored paper'),
      409: refusal('The joined paper or the paper that stayed is deleted'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await undoJoin(actorOf(c), c.req.valid('param').id) }, 200),
)
