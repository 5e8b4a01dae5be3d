import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import type { Actor } from '#server/db/actor.ts'
import { exportReferences } from '#server/exports/index.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { AppError } from '#server/lib/errors.ts'
import { getProject } from '#server/projects/index.ts'
import { exportInput } from '#shared/contract/exports.ts'
import { WRITE_FORMATS, type WriteFormat } from '#shared/contract/reference-formats.ts'
import { defineTool } from './tool.ts'

const LIFETIME_MS = 15 * 60_000
/** Maximum size in bytes of an exported file. It is limited because the client and the server have the whole file in memory. */
const MOST_BYTES = 20_000_000
const FORMATS = Object.keys(WRITE_FORMATS) as [WriteFormat, ...WriteFormat[]]

/**
 * Schema of the parameters that the link of an export contains. The link itself gives no access: the export checks the rights
 * of the caller.
 */
const linked = z.object({
  project_id: z.uuid(),
  search: z.string().max(500),
  tags: z.array(z.string().max(200)).max(20),
  format: z.enum(FORMATS),
  until: z.number(),
})

export const exportReferencesTool = defineTool({
  name: 'export_references',
  scope: 'read',
  title: 'Export references',
  description:
    'Returns the link of a resource with the references of a project, or of its papers with these words and tags, for a reference manager. Read the resource within 15 minutes.',
  input: z.object({
    project_id: z.uuid(),
    query: z.string().max(500).default(''),
    tags: z.array(z.string().max(200)).max(20).default([]),
    format: z.enum(FORMATS),
  }),
  output: z.object({ uri: z.string(), mime_type: z.string(), expires_at: z.string() }),
  missing: 'No project with that id. Use list_projects.',
  run: async ({ actor }, { project_id, query, tags, format }) => {
    await getProject(actor, project_id)
    const until = Date.now() + LIFETIME_MS
    const link: z.input<typeof linked> = { project_id, search: query, tags, format, until }
    return {
      uri: `lectern://export/${Buffer.from(JSON.stringify(link)).toString('base64url')}`,
      mime_type: 'text/plain',
      expires_at: new Date(until).toISOString(),
    }
  },
})

/**
 * Returns the exported references as text. `link` is the part of an export link after 'lectern://export/'. Throws 'not_found'
 * for an invalid or expired link, and 'too_large' if the file has more than MOST_BYTES.
 */
export async function readExport(actor: Actor, link: string): Promise<string> {
  const { data } = linked.safeParse(parse(link))
  if (!data || data.until < Date.now()) throw new AppError('not_found', 'This link has ended. Call export_references.')
  await countRequest('export', { person: actor.userId })
  const { project_id, search, tags, format } = data
  const input = { project_id, format, filter: { search, keyword: tags } }
  const file = await exportReferences(actor, exportInput.parse(input))
  return readText(limited(file.stream))
}

function parse(link: string): unknown {
  try {
    return JSON.parse(Buffer.from(link, 'base64url').toString())
  } catch {
    return null
  }
}

async function* limited(stream: ReadableStream<Uint8Array>) {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > MOST_BYTES)
      throw new AppError('too_large', 'This export is too large for a resource. Use POST /api/exports, or a query.')
    yield chunk
  }
}
