import { z } from 'zod'
import { recognizeIdentifier } from '#shared/references/identifiers.ts'
import { storableText } from '../text/storable-text.ts'
import { documentRow } from './documents.ts'
import { referencePatch } from './reference-edits.ts'
import { reference } from './references.ts'

/** Maximum number of lines in one look-up of identifiers. */
export const IDENTIFIERS_MAX = 500
/** Maximum number of papers in one call that adds papers. */
export const PAPERS_AT_ONCE = 50
/** Maximum number of characters of a line. Web addresses are the longest lines. */
const LINE_MAX = 2000

export const IDENTIFIER_KINDS = ['doi', 'pmid', 'pmcid', 'arxiv', 'isbn', 'url'] as const
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number]
/** The labels of the kinds of identifiers. */
export const KIND_LABELS: Record<IdentifierKind, string> = {
  doi: 'DOI',
  pmid: 'PMID',
  pmcid: 'PMCID',
  arxiv: 'arXiv',
  isbn: 'ISBN',
  url: 'Address',
}
/** The services that are queried for each kind of identifier, as text for the user. */
export const KIND_SERVICES: Record<IdentifierKind, string> = {
  doi: 'Crossref and OpenAlex',
  pmid: 'OpenAlex',
  pmcid: 'OpenAlex',
  arxiv: 'arXiv',
  isbn: 'Open Library',
  url: 'the site',
}

export const NOT_AN_IDENTIFIER = 'This is not a DOI, PMID, PMCID, arXiv id, ISBN or address.'
export const TOO_MANY_LINES = `These are more than ${IDENTIFIERS_MAX} lines. Look them up in parts.`

/** Returns the lines of a text that are not empty, without spaces at their ends. */
export const linesOf = (text: string) =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.trim())
    .filter(Boolean)

/**
 * Returns a key of the identifier in a line. Lines with the same identifier have equal keys. Returns undefined for a line
 * without an identifier.
 */
export function identifierKey(line: string): string | undefined {
  const found = recognizeIdentifier(line)
  return found && `${found.kind}:${found.kind === 'doi' ? found.value.toLowerCase() : found.value}`
}

/** Body of POST /api/identifiers/look-up. */
export const lookUpInput = z.object({
  project_id: z.uuid(),
  lines: z
    .array(z.string().trim().min(1).max(LINE_MAX, 'This line is too long.').transform(storableText))
    .min(1, 'Enter at least one identifier.')
    .max(IDENTIFIERS_MAX, TOO_MANY_LINES),
})
export type LookUpInput = z.infer<typeof lookUpInput>

/** A paper that the look-up found and that is not in the project. */
const newPaper = z.object({
  reference: reference
    .extend({ custom: z.record(z.string(), z.any()).optional() })
    .describe('an item of CSL-JSON 1.0.2'),
  retracted: z.boolean(),
  semantic_paperid: z.string().nullable().describe('the id at OpenAlex'),
})
export type LookedUpPaper = z.infer<typeof newPaper>

/** The result of the look-up of an identifier for one line. */
export const lookedUpLine = z.object({
  line: z.number().int().describe('the position of the line in the request, from 0'),
  kind: z.enum(IDENTIFIER_KINDS).nullable().describe('null if the line has no identifier'),
  value: z.string().nullable().describe('the identifier in its normal form'),
  state: z
    .enum(['found', 'here', 'not_found', 'failed'])
    .describe('here: the project has the paper. failed: a service could not be queried, and a retry can help'),
  service: z.string().nullable().describe('the service that found the paper or failed'),
  message: z.string().nullable(),
  paper: newPaper.nullable().describe('for the state found'),
  document: documentRow
    .pick({ id: true, title: true, authors: true, journal_name: true, ref_year: true, filename: true })
    .nullable()
    .describe('for the state here'),
})
export type LookedUpLine = z.infer<typeof lookedUpLine>

/** Response of POST /api/identifiers/look-up, in the order of the lines. */
export const lookedUpLines = z.object({ data: z.array(lookedUpLine), count: z.number().int() })

const customText = z.string().max(2000).transform(storableText)

/** Body of POST /api/identifiers/papers. */
export const papersInput = z.object({
  project_id: z.uuid(),
  papers: z
    .array(
      z.object({
        reference: referencePatch
          .extend({
            custom: z
              .record(z.string().max(100), customText)
              .refine((custom) => Object.keys(custom).length <= 20, 'At most 20 fields.')
              .optional(),
          })
          .refine(({ title }) => Boolean(title), { message: 'Title is required', path: ['title'] }),
        retracted: z.boolean().default(false),
        semantic_paperid: z.string().trim().max(200).transform(storableText).nullable().default(null),
      }),
    )
    .min(1)
    .max(PAPERS_AT_ONCE),
})
export type PapersInput = z.infer<typeof papersInput>

/** Response of POST /api/identifiers/papers, in the order of the request. */
export const addedPapers = z.object({
  papers: z.array(
    z.object({ document_id: z.uuid(), created: z.boolean().describe('false: the project had the paper already') }),
  ),
  created: z.number().int(),
  existing: z.number().int(),
})
export type AddedPapers = z.infer<typeof addedPapers>
