import { createRoute } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusal, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { job } from '#shared/jobs.ts'
import { addedPaper, lookupAnswer, lookupQuery, paperInput } from '#shared/papers.ts'
import { lookUp } from './look-up.ts'
import { addPaper, fetchFile } from './service.ts'

export const routes = createRouter()

routes.openapi(
  createRoute({
    method: 'post',
    path: '/papers',
    tags: ['Documents'],
    summary: 'Add a paper by its metadata; its open-access PDF is looked for in the background',
    request: jsonBody(paperInput),
    responses: {
      200: one(addedPaper, 'The project has this paper already: its document'),
      201: one(addedPaper, 'The new document, without a file'),
      ...refusals,
    },
  }),
  async (c) => {
    const added = await addPaper(actorOf(c), c.req.valid('json'))
    return added.created ? c.json({ data: added }, 201) : c.json({ data: added }, 200)
  },
)

routes.openapi(
  createRoute({
    method: 'post',
    path: '/documents/{id}/fetch-file',
    tags: ['Documents'],
    summary: 'Look for the open-access PDF of a document that has a DOI and no file',
    request: idOf('Document'),
    responses: {
      202: one(job, 'The job that looks for the PDF'),
      409: refusal('The document has a file already'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await fetchFile(actorOf(c), c.req.valid('param').id) }, 202),
)

routes.openapi(
  createRoute({
    method: 'get',
    path: '/documents/{id}/lookup',
    tags: ['Documents'],
    summary: 'Ask OpenAlex and Crossref for the paper of a document; nothing is stored',
    request: { ...idOf('Document'), query: lookupQuery },
    responses: {
      200: one(lookupAnswer, 'What they know, and who of them could not be asked'),
      ...refusals,
      429: refusal('Both services ask to slow down'),
      502: refusal('Neither service could be asked'),
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
