import { z } from 'zod'
import { citeEach } from '#server/citations/index.ts'
import { citationInput } from '#shared/contract/citations.ts'
import { NO_PAPER } from './read-tools.ts'
import { defineTool } from './tool.ts'

const MOST_CITED = 200

export const formatCitationsTool = defineTool({
  name: 'format_citations',
  scope: 'read',
  title: 'Format citations',
  description:
    'Formats the citation of each paper in the text and one bibliography, in any of 2,679 styles of the Citation Style Language, such as apa, vancouver or nature.',
  hasContent: true,
  input: z.object({
    document_ids: z.array(z.uuid()).min(1).max(MOST_CITED),
    style: z.string().max(300).optional().describe('default: that of the project'),
    locale: z.string().max(20).optional().describe('a language such as de-DE; default: that of the style'),
  }),
  output: z.object({
    intext: z.array(z.string()).describe('one for each paper, in the given order'),
    bibliography: z.array(z.string()),
  }),
  missing: NO_PAPER,
  run: ({ actor }, { document_ids, style, locale }) =>
    citeEach(actor, citationInput.parse({ ids: [...new Set(document_ids)], style, locale, output: 'text' })),
})
