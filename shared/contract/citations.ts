import { z } from 'zod'
import { reference } from './references.ts'

/**
 * The attribution of citeproc-js, which formats the citations. Its license, the Common Public Attribution License, requires
 * this notice and a link to the source.
 */
export const CITEPROC = {
  notice: '© Frank Bennett. citeproc-js implements the Citation Style Language.',
  site: { label: 'citationstyles.org', address: 'https://citationstyles.org' },
  source: {
    label: 'Source of citeproc-js 2.4.63',
    address: 'https://registry.npmjs.org/citeproc/-/citeproc-2.4.63.tgz',
  },
} as const

/** Maximum number of papers in one request for citations. */
export const CITATIONS_MAX = 500

export const citationStyle = z.object({ id: z.string(), title: z.string() })
export type CitationStyle = z.infer<typeof citationStyle>

/** The response of GET /api/citation-styles. */
export const citationStyles = z.object({
  data: z.array(citationStyle),
  count: z.number().int(),
  locales: z.array(z.string()).describe("language tags such as 'en-US', in alphabetical order"),
})
export type CitationStyles = z.infer<typeof citationStyles>

/** Body of POST /api/citations. */
export const citationInput = z.object({
  ids: z
    .array(z.uuid())
    .min(1, 'Choose at least one paper.')
    .max(CITATIONS_MAX, `At most ${CITATIONS_MAX} papers can be cited at once.`)
    .describe('documents, in the order of the citation'),
  style: z.string().max(300).optional().describe('default: the style of the project of the documents, else apa'),
  locale: z
    .string()
    .max(20)
    .optional()
    .describe('default: the language of the style, else that of the project of the documents, else en-US'),
  output: z.enum(['text', 'html']).default('text'),
})
export type CitationInput = z.output<typeof citationInput>

/** Body of POST /api/citations/preview: a reference that is not stored. */
export const citationPreviewInput = z.object({
  reference,
  style: z.string().max(300).optional().describe('default: apa'),
  language: z.string().max(20).optional().describe('the language of a style without a language; default: en-US'),
})
export type CitationPreviewInput = z.output<typeof citationPreviewInput>

/**
 * The citations of papers in one style, as text or as HTML. The HTML contains only elements for fonts and layout, and links to
 * http(s) addresses.
 */
export const citations = z.object({
  intext: z.string().describe('one citation of all papers'),
  bibliography: z
    .array(z.string())
    .describe('the entries in the order of the style; empty if the style has no bibliography'),
})
export type Citations = z.infer<typeof citations>

/** Maximum size in bytes of the file of a citation style (CSL) that an admin adds. */
export const STYLE_MAX_BYTES = 500 * 1024
export const STYLE_TOO_LARGE = 'This file is larger than 500 kB.'

/** A citation style that an admin added. */
export const addedStyle = z.object({
  id: z.uuid(),
  style_id: z.string().describe('the id in the file, which citations use'),
  title: z.string(),
  bytes: z.number().int(),
  parent: z.string().nullable().describe('the style to which a dependent style refers'),
  locale: z.string().nullable().describe('the language of the style'),
  added_by: z.string().nullable().describe('the name of the admin; null after the deletion of the account'),
  created_at: z.string(),
})
export type AddedStyle = z.infer<typeof addedStyle>

/** Body of POST /api/admin/citation-styles: the text of a .csl file. */
export const addedStyleInput = z.object({ xml: z.string().min(1, 'The file is empty.') })
