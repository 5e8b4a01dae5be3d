import { z } from 'zod'
import { documentPatch } from '#shared/documents.ts'
import { profilePatch } from '#shared/profiles.ts'
import { storableText } from '#shared/storable-text.ts'

/** Text that was read from a PDF, taken as far as it can be stored. */
const pdfText = z.string().transform(storableText)
/** What the database's integer columns hold. */
const INT_MAX = 2_147_483_647

const values = profilePatch.shape

/** Bodies of the server functions. Missing fields are told by the specification's own sentences, so everything is optional here. */
export const functionBodies = {
  analyze: z.object({ text: pdfText.optional(), system_prompt: z.string().optional(), model: z.string().nullish() }),
  ocr: z.object({ document_url: z.string().max(4000).optional() }),
  embeddings: z.object({
    chunks: z
      .array(
        z.object({
          content: z.string().max(20_000).transform(storableText),
          pageNumber: z.number().int().min(1).max(INT_MAX),
          pageOffset: z.number().int().min(0).max(INT_MAX),
        }),
      )
      .max(50_000)
      .optional(),
    document_id: z.string().optional(),
    force: z.boolean().default(false),
  }),
  queryEmbedding: z.object({ query: z.string().max(20_000).optional() }),
  similarity: z.object({
    query_embedding: z.array(z.number()).max(20_000).optional(),
    document_id: z.string().optional(),
    limit: z.number().int().min(1).max(100).default(3),
  }),
  proxy: z.object({ url: z.string().max(4000).optional() }),
  answer: z.object({
    query: z.string().max(20_000).optional(),
    chunks: z
      .array(
        z.object({
          content: z.string().max(50_000),
          page_number: z.number().int(),
          page_offset: z.number().int().optional(),
          similarity: z.number().optional(),
        }),
      )
      .max(200)
      .optional(),
  }),
  driveCallback: z.object({
    code: z.string().max(4096).optional(),
    redirectUri: z.string().max(2000).optional(),
    /** The verifier of the PKCE challenge that the authorisation was asked with (RFC 7636). */
    codeVerifier: z.string().max(200).optional(),
  }),
  research: z.object({ research_question: z.string().max(5000).optional(), project_id: z.string().optional() }),
  driveList: z.object({
    action: z.literal('list').optional(),
    folderId: z.string().max(200).nullish(),
    accessToken: z.string().max(4096).optional(),
  }),
  driveDownload: z.object({
    fileId: z.string().max(200).optional(),
    accessToken: z.string().max(4096).optional(),
    fileName: z.string().max(500).optional(),
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
  documentTags: z.object({ doc_id: z.string().optional(), tag_names: documentPatch.shape.keywords }),
} as const
