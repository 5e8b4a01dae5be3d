import { z } from 'zod'
import { asActor } from '#server/db/client.ts'
import { documentOrThrow } from '#server/documents/index.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { readTextPart } from './queries.ts'
import { NO_PAPER } from './read-tools.ts'
import { asContent, defineTool } from './tool.ts'

const MOST_CHARACTERS = 40_000

/** Parses a page range such as '3' or '3-5'. Returns undefined for undefined. Throws 'refused' for an impossible range. */
function readPages(text: string | undefined): { first: number; last: number } | undefined {
  if (text === undefined) return undefined
  const [first = 0, last = first] = text.split('-').map(Number)
  if (first < 1 || last < first) throw new AppError('refused', 'pages: Give a page or a range, as in 3-5.')
  return { first, last }
}

export const getPaperTextTool = defineTool({
  name: 'get_paper_text',
  scope: 'read',
  title: 'Get the text of a paper',
  description:
    'Returns the text of a paper with a marker such as [Page 3] before each page, at most 40,000 characters. Pass next_cursor as cursor for the next part.',
  input: z.object({
    document_id: z.uuid(),
    // Some clients send '3' as a number.
    pages: z.coerce
      .string()
      .regex(/^\d{1,5}(-\d{1,5})?$/)
      .optional()
      .describe('a page or a range, as in 3-5'),
    cursor: z.coerce
      .string()
      .regex(/^\d{1,9}$/)
      .optional(),
  }),
  hasContent: true,
  output: z.object({ text: z.string(), next_cursor: z.string().nullable() }),
  missing: NO_PAPER,
  run: async ({ actor }, { document_id, pages: range, cursor = '0' }) => {
    const from = Number(cursor)
    const chosen = readPages(range)
    const read = await asActor(actor, async (tx) => {
      await documentOrThrow(tx, document_id, 'read')
      return readTextPart(tx, document_id, { from, length: MOST_CHARACTERS, pages: chosen })
    })
    const { part = '', length = 0 } = read ?? {}
    if (length === 0)
      throw new AppError(
        'refused',
        chosen
          ? 'This paper has no text on these pages.'
          : `This paper has no text yet. Extract its text in ${env.PRODUCT_NAME} first.`,
      )
    const end = from + MOST_CHARACTERS
    return { text: asContent(part), next_cursor: end < length ? String(end) : null }
  },
})
