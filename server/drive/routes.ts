import { jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { documentDetail } from '#shared/contract/documents.ts'
import { driveImport, driveSettings as settingsSchema } from '#shared/contract/drive.ts'
import { driveSettings, importFromDrive } from './service.ts'

/** Routes for imports from Google Drive. Access tokens are never stored. */
export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/drive',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags: ['Cloud drive'],
    description: 'The settings that a browser needs to request authorization from Google (code flow with PKCE)',
    responses: { 200: one(settingsSchema, 'The settings, or null if Google Drive is not set up'), ...refusals },
  }),
  (c) => {
    actorOf(c)
    return c.json({ data: driveSettings() }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/drive/import',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'none' },
    tags: ['Cloud drive'],
    description: 'Import a PDF of the drive as a new document',
    request: jsonBody(driveImport),
    responses: {
      201: one(documentDetail, 'The document, status pending'),
      ...refusals,
      413: refusal('The file is larger than MAX_UPLOAD_MB'),
      501: refusal('Google Drive is not set up'),
      502: refusal('Google Drive failed'),
    },
  }),
  async (c) => c.json({ data: await importFromDrive(actorOf(c), c.req.valid('json'), c.req.raw.signal) }, 201),
)
