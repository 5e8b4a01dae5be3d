import { idOf, jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { job } from '#shared/contract/jobs.ts'
import { addedPaper, lookupAnswer, lookupQuery, paperInput } from '#shared/contract/lookup.ts'
import { lookUp } from './look-up.ts'
import { addPaper, fetchFile } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/papers',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'write' },
    tags: ['Documents'],
    summary: 'Add a paper by its metadata and search for its open-access PDF in the background',
    request: jsonBody(paperInput),
    responses: {
      200: one(addedPaper, 'The existing document of this paper'),
      201: one(addedPaper, 'The new document, without a file'),
      ...refusals,
    },
  }),
  async (c) => {
    const added = await addPaper(actorOf(c), c.req.valid('json'), 'feed')
    return added.created ? c.json({ data: added }, 201) : c.json({ data: added }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/fetch-file',
    access: { role: 'edit', body: 'none', limit: 'upload', scope: 'write' },
    tags: ['Documents'],
    summary: 'Search for the open-access PDF of a document that has a DOI and no file',
    request: idOf('Document'),
    responses: {
      202: one(job, 'The search job'),
      409: refusal('The document already has a file'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await fetchFile(actorOf(c), c.req.valid('param').id) }, 202),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}/lookup',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags: ['Documents'],
    summary: 'Query OpenAlex and Crossref for the paper of a document without storing the result',
    request: { ...idOf('Document'), query: lookupQuery },
    responses: {
      200: one(lookupAnswer, 'The papers found, and the services that failed'),
      ...refusals,
      429: refusal('Both services ask to slow down'),
      502: refusal('Both services failed'),
      504: refusal('Neither service answered in time'),
    },
  }),
  async (c) =>
    c.json(
      {
        data: await lookUp(
          actorOf(c),
          c.req.valid('param').id,
          c.req.valid('query').query || undefined,
          c.req.raw.signal,
        ),
      },
      200,
    ),
)
