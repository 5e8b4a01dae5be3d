import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { cancelledUpload, pausedUpload, uploadPatch, uploadState } from '#shared/contract/processing.ts'
import { cancelUpload, listPausedUploads, pauseUpload } from './uploads.ts'

/** Routes that pause, resume and cancel the automatic processing of the documents of one upload. */
export const routes = createRouter()
const tags = ['Documents']
const upload = idOf('Upload')

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/paused-uploads',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the paused uploads of a project of which documents wait',
    request: idOf('Project'),
    responses: { 200: one(z.array(pausedUpload), 'The uploads of all members, the oldest first'), ...refusals },
  }),
  async (c) => c.json({ data: await listPausedUploads(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/uploads/{id}',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'none' },
    tags,
    summary: 'Pause or resume the automatic processing of the documents of an upload',
    request: { ...upload, ...jsonBody(uploadPatch) },
    responses: { 200: one(uploadState, 'The upload'), ...refusals },
  }),
  async (c) =>
    c.json({ data: await pauseUpload(actorOf(c), c.req.valid('param').id, c.req.valid('json').is_paused) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/uploads/{id}/cancel',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'Cancel the automatic processing of the documents of an upload',
    request: upload,
    responses: { 200: one(cancelledUpload, 'The upload; its documents that are ready stay so'), ...refusals },
  }),
  async (c) => c.json({ data: await cancelUpload(actorOf(c), c.req.valid('param').id) }, 200),
)
