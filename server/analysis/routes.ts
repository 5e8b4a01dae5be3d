import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { undoAnalysis } from '#server/documents/index.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { analysisUndoRequest, undoneAnalysis } from '#shared/contract/document-edits.ts'
import { apiError } from '#shared/contract/errors.ts'
import { job } from '#shared/contract/jobs.ts'
import { passageField } from '#shared/contract/passages.ts'
import { promptTrial, trialResult } from '#shared/contract/prompts.ts'
import { startAnalysis } from './service.ts'
import { tryPrompt } from './try-prompt.ts'

export const routes = createRouter()

const input = z.object({
  prompt_id: z.uuid().nullish().describe('a prompt of the library. Default: the default prompt'),
  replace_edited: z
    .array(passageField)
    .default([])
    .describe('edited fields that the analysis may replace; other edited fields stay'),
  again: z
    .boolean()
    .default(false)
    .describe('call the model of a provider although an analysis with the same input is stored in the project'),
})

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/analyze',
    access: { role: 'edit', body: 'json', limit: 'ai', scope: 'ask write' },
    tags: ['Documents'],
    request: { ...idOf('Document'), ...jsonBody(input) },
    responses: {
      202: one(job, 'The job that analyzes the document'),
      ...refusals,
      409: {
        description: 'The document is being analyzed already',
        content: { 'application/json': { schema: apiError } },
      },
    },
  }),
  async (c) => {
    const { prompt_id: promptId, replace_edited: replaceEdited, again } = c.req.valid('json')
    const options = { promptId, replaceEdited, again }
    return c.json({ data: await startAnalysis(actorOf(c), c.req.valid('param').id, options) }, 202)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/undo-analysis',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags: ['Documents'],
    request: { ...idOf('Document'), ...jsonBody(analysisUndoRequest) },
    responses: {
      200: one(undoneAnalysis, 'The document as it was before its latest repeated analysis'),
      409: refusal('Another analysis or another text was stored since'),
      ...refusals,
    },
  }),
  async (c) => {
    const { analyzed_at } = c.req.valid('json')
    return c.json({ data: await undoAnalysis(actorOf(c), c.req.valid('param').id, analyzed_at) }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/prompts/try',
    access: { role: 'admin', body: 'json', limit: 'ai', scope: 'none' },
    tags: ['Prompts'],
    request: jsonBody(promptTrial),
    responses: {
      200: one(trialResult, 'The result of the prompt for a document, and its cost; nothing is stored in the document'),
      501: refusal('The model needs a provider, and none is configured'),
      502: refusal('The provider failed'),
      504: refusal('The provider was too slow'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await tryPrompt(actorOf(c), c.req.valid('json'), c.req.raw.signal) }, 200),
)
