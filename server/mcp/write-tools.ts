import { z } from 'zod'
import { changeTags } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { tagNames } from '#shared/contract/documents-tags.ts'
import { defineTool } from './tool.ts'

const MOST_PAPERS = 50

const failed = z.array(z.object({ id: z.string(), reason: z.string() }))

export const setTagsTool = defineTool({
  name: 'set_tags',
  scope: 'write',
  title: 'Set tags',
  description: 'Adds tags to papers and removes tags from them. Other tags of the papers stay.',
  isIdempotent: true,
  input: z.object({
    document_ids: z.array(z.uuid()).min(1).max(MOST_PAPERS),
    add: tagNames,
    remove: tagNames,
  }),
  output: z.object({ papers: z.array(z.object({ document_id: z.uuid(), tags: z.array(z.string()) })), failed }),
  run: async ({ actor, signal }, { document_ids, add, remove }) => {
    const papers: { document_id: string; tags: string[] }[] = []
    const refused: z.input<typeof failed> = []
    for (const id of new Set(document_ids)) {
      signal.throwIfAborted()
      try {
        papers.push({ document_id: id, tags: (await changeTags(actor, id, { add, remove })).keywords })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.push({
          id,
          reason: error.code === 'not_found' ? 'No paper with that id. Use search_papers.' : error.message,
        })
      }
    }
    return { papers, failed: refused }
  },
})
