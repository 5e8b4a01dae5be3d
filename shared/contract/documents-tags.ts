import { z } from 'zod'
import { TAG_MAX, TAGS_MAX } from './document-edits.ts'

/** Maximum number of documents in one request that changes tags. */
export const TAGGED_AT_ONCE = 100

/** Error of a change of tags in which no id is a document that the caller can access. */
export const NO_TAGGED_DOCUMENTS = 'No valid documents to tag'

/** Names of tags to add or to remove. */
export const tagNames = z.array(z.string().trim().min(1).max(TAG_MAX)).max(TAGS_MAX).default([])

/** Body of POST /api/documents/tags. Other tags of the documents stay. */
export const documentsTags = z
  .object({
    document_ids: z
      .array(z.uuid())
      .min(1, 'Select at least one document.')
      .max(TAGGED_AT_ONCE, `At most ${TAGGED_AT_ONCE} documents at a time.`),
    add: tagNames,
    remove: tagNames,
  })
  .refine(({ add, remove }) => add.length + remove.length > 0, 'Name at least one tag.')
export type DocumentsTags = z.infer<typeof documentsTags>
