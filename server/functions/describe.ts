import { z, type OpenAPIHono } from '@hono/zod-openapi'
import type { AppBindings } from '#server/http/router.ts'
import { analysisResult } from '#shared/contract/analysis.ts'
import { driveFile } from '#shared/contract/drive.ts'
import { profile } from '#shared/contract/profiles.ts'
import { recommendedPaper } from '#shared/contract/recommendations.ts'
import { functionBodies } from './schemas.ts'

const tags = ['Server functions']
const failures = Object.fromEntries([401, 404, 422, 502, 504].map((status) => [status, { description: '' }]))
const chunk = z.object({
  content: z.string(),
  page_number: z.number().int(),
  page_offset: z.number().int(),
  similarity: z.number(),
})

/** The server functions: name, schema of the request body, schema of the response, description. */
const FUNCTIONS: readonly [name: string, body: z.ZodType, answer: z.ZodType, description: string][] = [
  [
    'analyze-pdf',
    functionBodies.analyze,
    z.object({ data: analysisResult }),
    'The analysis of a text, which is not stored',
  ],
  [
    'ocr-pdf',
    functionBodies.ocr,
    z.object({ data: z.object({ text: z.string() }), error: z.null(), status: z.literal(200) }),
    'The text of a PDF by OCR: a document of the caller (id, storage path or address), or a public address',
  ],
  [
    'generate-embeddings',
    functionBodies.embeddings,
    z.object({
      final_output: z.object({ success: z.boolean(), error: z.string().nullable(), alreadyVectorized: z.boolean() }),
    }),
    'Embeds and stores the chunks of a document; a vectorized document does not change unless `force` is set',
  ],
  [
    'generate-query-embedding',
    functionBodies.queryEmbedding,
    z.object({ embedding: z.array(z.number()) }),
    'The embedding of a question',
  ],
  [
    'similarity-search',
    functionBodies.similarity,
    z.object({ chunks: z.array(chunk) }),
    'The chunks nearest to an embedding, most similar first',
  ],
  [
    'generate-answer',
    functionBodies.answer,
    z.object({ answer: z.string(), sources: z.array(chunk.omit({ page_offset: true })) }),
    'An answer from the given chunks, which are its sources',
  ],
  [
    'research-agent',
    functionBodies.research,
    z.object({ data: z.object({ final_output: z.object({ papers: z.array(recommendedPaper) }) }) }),
    'Papers that answer a research question and that the project does not have; they are not stored',
  ],
  [
    'google-drive-callback',
    functionBodies.driveCallback,
    z.object({ files: z.array(driveFile), accessToken: z.string() }),
    'The access token for an authorization code, and the files of the root folder',
  ],
  [
    'google-drive-list',
    functionBodies.driveList,
    z.object({ files: z.array(driveFile) }),
    'The folders and PDF files of a folder of the drive',
  ],
  [
    'google-drive-download',
    functionBodies.driveDownload,
    z.object({ content: z.string().describe('base64'), name: z.string() }),
    'The content of a file of the drive',
  ],
  [
    'rpc/update_profile',
    functionBodies.updateProfile,
    z.object({ data: profile }),
    'The changed profile of the caller',
  ],
  [
    'rpc/manage_document_tags',
    functionBodies.documentTags,
    z.object({ data: z.object({ id: z.uuid(), keywords: z.array(z.string()) }) }),
    'Replaces the keywords of a document, which are its tags',
  ],
]

const size = z.object({ size_mb: z.number() })

/** The server functions without a request body. They are for admins only. */
const ADMIN_FUNCTIONS: readonly [name: string, answer: z.ZodType, description: string][] = [
  [
    'fetch-openai-usage',
    z.object({ data: z.object({ total_tokens: z.number().int(), refreshed_at: z.string() }) }),
    'The tokens of all model calls, as of now',
  ],
  ['rpc/get_storage_size', size, 'The size of all stored files'],
  ['rpc/get_database_size', size, 'The size of the database'],
]

/**
 * Adds the server functions to the API documentation. Their routes have no schemas, because the functions validate their bodies
 * themselves.
 */
export function describeFunctions({ openAPIRegistry: registry }: OpenAPIHono<AppBindings>): void {
  const answer = (schema: z.ZodType, description: string) => ({
    200: { description, content: { 'application/json': { schema } } },
    ...failures,
  })
  for (const [name, schema, reply, description] of FUNCTIONS)
    registry.registerPath({
      method: 'post',
      path: `/${name}`,
      tags,
      request: { body: { required: true, content: { 'application/json': { schema } } } },
      responses: answer(reply, description),
    })
  registry.registerPath({
    method: 'post',
    path: '/extract-pdf-text',
    tags,
    request: {
      body: {
        required: true,
        content: { 'multipart/form-data': { schema: z.object({ file: z.string().openapi({ format: 'binary' }) }) } },
      },
    },
    responses: answer(
      z.object({ text: z.string().describe('with a [Page N] marker before every page') }),
      'The text layer of an uploaded PDF',
    ),
  })
  registry.registerPath({
    method: 'post',
    path: '/proxy-rss',
    tags,
    request: { body: { required: true, content: { 'application/json': { schema: functionBodies.proxy } } } },
    responses: {
      200: {
        description: 'The unchanged feed, with its media type',
        content: { 'application/xml': { schema: z.string() } },
      },
      ...failures,
    },
  })
  registry.registerPath({
    method: 'get',
    path: '/list-models',
    tags,
    responses: answer(
      z.object({
        data: z.array(z.object({ id: z.string(), name: z.string() })),
        error: z.string().nullable().describe('why the models of the provider are missing'),
      }),
      'The available models, always with the built-in one',
    ),
  })
  for (const [name, reply, description] of ADMIN_FUNCTIONS)
    registry.registerPath({
      method: 'post',
      'x-admins-only': true,
      path: `/${name}`,
      tags,
      responses: { ...answer(reply, description), 403: { description: 'Not an admin' } },
    })
}
