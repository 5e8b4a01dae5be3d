import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { documentOrThrow, withoutText } from '#server/documents/index.ts'
import { AppError, publicMessage } from '#server/lib/errors.ts'
import { getProject, listProjects } from '#server/projects/index.ts'
import { projectsQuery } from '#shared/contract/projects.ts'
import { readExport } from './export-tool.ts'
import { paperAsMarkdown, projectAsMarkdown } from './markdown.ts'
import { readTextPart } from './queries.ts'
import { asContent } from './tool.ts'

const MARKDOWN = 'text/markdown'
/** Maximum number of suggestions in a completion. The MCP specification sets this limit. */
const MOST_SUGGESTIONS = 100
const MOST_PAGE_CHARACTERS = 200_000

/**
 * Adds the MCP resources to the server: the caller's projects, papers and pages of papers. Clients can complete project ids by
 * the names of projects.
 */
export function addResources(server: McpServer, actor: Actor): void {
  const projects = () => listProjects(actor, projectsQuery.parse({}))
  const completeProject = async (typed: string) =>
    (await projects())
      .filter(({ id, name }) => id.startsWith(typed) || name.toLowerCase().includes(typed.toLowerCase()))
      .slice(0, MOST_SUGGESTIONS)
      .map(({ id }) => id)
  server.registerResource(
    'project',
    new ResourceTemplate('lectern://project/{id}', {
      list: async () => ({
        resources: (await projects()).map(({ id, name, research_question }) => ({
          uri: `lectern://project/${id}`,
          name,
          mimeType: MARKDOWN,
          ...(research_question ? { description: research_question.slice(0, 300) } : {}),
        })),
      }),
      complete: { id: completeProject },
    }),
    { title: 'Project', description: 'A project: its research question and description', mimeType: MARKDOWN },
    (uri, { id }) => read(uri, MARKDOWN, async () => projectAsMarkdown(await getProject(actor, uuid(id)))),
  )
  addExports(server, actor)
  server.registerResource(
    'document',
    new ResourceTemplate('lectern://document/{id}', { list: undefined }),
    { title: 'Paper', description: 'A paper: its reference, analysis and tags', mimeType: MARKDOWN },
    (uri, { id }) =>
      read(uri, MARKDOWN, async () => {
        const row = await asActor(actor, (tx) => documentOrThrow(tx, uuid(id), 'read'))
        return asContent(paperAsMarkdown(withoutText(row)))
      }),
  )
  server.registerResource(
    'page',
    new ResourceTemplate('lectern://document/{id}/page/{n}', { list: undefined }),
    { title: 'Page of a paper', description: 'The text of one page of a paper', mimeType: 'text/plain' },
    (uri, { id, n }) =>
      read(uri, 'text/plain', async () => {
        const page = z.coerce.number().int().min(1).max(99_999).parse(n)
        const found = await asActor(actor, async (tx) => {
          await documentOrThrow(tx, uuid(id), 'read')
          const pages = { first: page, last: page }
          return readTextPart(tx, uuid(id), { from: 0, length: MOST_PAGE_CHARACTERS, pages })
        })
        if (!found?.length) throw new AppError('not_found', 'This paper has no such page.')
        return asContent(found.part)
      }),
  )
}

/** Adds the resource template of exported files. The tool export_references returns links to these resources. */
function addExports(server: McpServer, actor: Actor): void {
  server.registerResource(
    'export',
    new ResourceTemplate('lectern://export/{link}', { list: undefined }),
    { title: 'Export', description: 'The file of a link of export_references', mimeType: 'text/plain' },
    (uri, { link }) => read(uri, 'text/plain', () => readExport(actor, String(link))),
  )
}

const uuid = (id: unknown): string => {
  const checked = z.uuid().safeParse(id)
  if (!checked.success) throw new AppError('not_found', 'There is nothing with this id.')
  return checked.data
}

/** The error code of MCP for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002

async function read(uri: URL, mimeType: string, text: () => Promise<string>) {
  try {
    return { contents: [{ uri: uri.href, mimeType, text: await text() }] }
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof z.ZodError)) throw error
    const isMissing = error instanceof z.ZodError || error.code === 'not_found'
    throw new McpError(
      isMissing ? RESOURCE_NOT_FOUND : ErrorCode.InvalidRequest,
      publicMessage(error, 'There is no such page.'),
    )
  }
}
