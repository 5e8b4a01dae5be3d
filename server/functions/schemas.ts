import { z } from 'zod'
import { documentPatch } from '#shared/contract/document-edits.ts'
import { profilePatch } from '#shared/contract/profiles.ts'
import { storableText } from '#shared/text/storable-text.ts'

/** The text of a PDF. Characters that the database cannot store are removed. */
const pdfText = z.string().transform(storableText)
/** Maximum length of the name of a model, as for its price. */
const MOST_OF_MODEL = 200
/** Maximum of PostgreSQL's integer columns. */
const INT_MAX = 2_147_483_647

const values = profilePatch.shape

/** Returns the schema of an optional field. The value null counts as missing. */
const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

const withoutBlanks = (given: unknown) =>
  Array.isArray(given) ? given.filter((one) => typeof one !== 'string' || one.trim() !== '') : given

/**
 * The bodies of the server functions. The fields of each body are optional here, because the functions themselves report
 * missing fields, with messages that the specification gives.
 */
export const functionBodies = {
  analyze: z.object({
    text: optional(pdfText),
    system_prompt: optional(z.string()),
    model: z.string().max(MOST_OF_MODEL).nullish(),
  }),
  ocr: z.object({ document_url: optional(z.string().max(4000)) }),
  embeddings: z.object({
    chunks: optional(
      z
        .array(
          z.object({
            content: z.string().max(20_000).transform(storableText),
            pageNumber: z.number().int().min(1).max(INT_MAX),
            pageOffset: z.number().int().min(0).max(INT_MAX),
          }),
        )
        .max(50_000),
    ),
    document_id: optional(z.string()),
    force: optional(z.boolean()),
  }),
  queryEmbedding: z.object({ query: optional(z.string().max(20_000)) }),
  similarity: z.object({
    query_embedding: optional(z.array(z.number()).max(20_000)),
    document_id: optional(z.string()),
    limit: optional(z.number().int().min(1).max(100)).describe('default 3'),
  }),
  proxy: z.object({ url: optional(z.string().max(4000)) }),
  answer: z.object({
    query: optional(z.string().max(20_000)),
    chunks: optional(
      z
        .array(
          z.object({
            content: z.string().max(50_000),
            page_number: z.number().int(),
            page_offset: z.number().int().nullish(),
            similarity: z.number().nullish(),
          }),
        )
        .max(200),
    ),
  }),
  driveCallback: z.object({
    code: optional(z.string().max(4096)),
    redirectUri: optional(z.string().max(2000)),
    /** PKCE verifier of the authorization request (RFC 7636). */
    codeVerifier: optional(z.string().max(200)),
  }),
  research: z.object({ research_question: optional(z.string().max(5000)), project_id: optional(z.string()) }),
  driveList: z.object({
    action: z.literal('list').optional(),
    folderId: optional(z.string().max(200)),
    accessToken: optional(z.string().max(4096)),
  }),
  driveDownload: z.object({
    fileId: optional(z.string().max(200)),
    accessToken: optional(z.string().max(4096)),
    fileName: optional(z.string().max(500)),
  }),
  updateProfile: z.object({
    user_id: z.string().max(200).nullish(),
    full_name_val: values.full_name,
    display_name_val: values.display_name,
    bio_val: values.bio,
    avatar_url_val: values.avatar_url,
    email_notifications_val: values.email_notifications,
    theme_val: values.theme,
    font_size_val: values.font_size,
  }),
  documentTags: z.object({
    doc_id: optional(z.string()),
    // Ignores blank names, like the tag field of the web app.
    tag_names: optional(z.preprocess(withoutBlanks, documentPatch.shape.keywords)),
  }),
} as const
