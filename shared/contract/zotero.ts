import { z } from 'zod'
import { rowVersion, seenVersion } from './versions.ts'

/** Errors of Zotero that users see (FMT-74). */
export const ZOTERO_KEY_REFUSED = 'Zotero does not accept this key.'
export const ZOTERO_LIBRARY_REFUSED = 'This key may not read that library.'
export const ZOTERO_COLLECTIONS_REMOVED =
  'The chosen collections are no longer in Zotero. Choose in ‘From Zotero…’ what to import.'
export const ZOTERO_NOT_CONNECTED = 'Zotero is not connected. Enter an API key in the settings.'
/** Returns the message for users if Zotero asks clients to send no requests for this number of seconds. */
export const zoteroWait = (seconds: number) =>
  `Zotero asks us to wait ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`

/** The state of a PDF that Zotero lists and does not store: a linked file, or a file that was not uploaded. */
export const ZOTERO_NOT_STORED = 'not in Zotero’s storage'

/** A library as in the addresses of the Zotero API: 'users/123' or 'groups/45'. */
export const zoteroLibraryKey = z
  .string()
  .regex(/^(?:users|groups)\/[1-9]\d{0,14}$/, 'This is not a library of Zotero.')
const collectionKey = z.string().regex(/^[A-Za-z0-9]{1,32}$/, 'This is not a collection of Zotero.')

const library = z.object({
  library: zoteroLibraryKey,
  name: z.string(),
  readable: z.boolean().describe('the key may read the library'),
})
export type ZoteroLibrary = z.infer<typeof library>

/** The connection of a user to Zotero; null without a connection. The API key of Zotero is never returned. */
export const zoteroConnection = z
  .object({
    username: z.string(),
    last_four: z.string().describe('the last four characters of the key'),
    libraries: z.array(library),
    error: z.string().nullable().describe('why Zotero no longer accepts the key; null if it does'),
  })
  .nullable()
export type ZoteroConnection = z.infer<typeof zoteroConnection>

/** Body of PUT /api/zotero/connection. */
export const zoteroKey = z.object({
  key: z
    .string()
    .trim()
    .regex(/^[\w-]{4,200}$/, ZOTERO_KEY_REFUSED),
})

/** A library with its collections, in the order of their names. */
export const zoteroTree = library.extend({
  count: z.number().int().nullable().describe('items of the library; null if it cannot be read'),
  error: z.string().nullable().describe('why the library cannot be read'),
  collections: z.array(
    z.object({
      key: collectionKey,
      name: z.string(),
      parent: collectionKey.nullable(),
      count: z.number().int().describe('items of the collection without those of its subcollections'),
    }),
  ),
})
export type ZoteroTree = z.infer<typeof zoteroTree>

export const ZOTERO_INTERVALS = ['never', 'daily', 'hourly'] as const
export const zoteroInterval = z.enum(ZOTERO_INTERVALS)
export type ZoteroInterval = z.infer<typeof zoteroInterval>

const LIBRARIES_MAX = 20
const COLLECTIONS_MAX = 500
const FIELDS_MAX = 150

const collections = z.array(collectionKey).min(1).max(COLLECTIONS_MAX).nullable().describe('null for the whole library')

/** A Zotero library from which a project imports papers. */
export const zoteroSync = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  library: zoteroLibraryKey,
  name: z.string().describe('the name of the library and of its chosen collections'),
  collections,
  with_subcollections: z.boolean(),
  with_pdfs: z.boolean(),
  with_tags: z.boolean(),
  synchronize: zoteroInterval,
  by: z.string().nullable().describe('the member whose key is used'),
  is_own: z.boolean().describe('the key is that of the caller'),
  last_synced_at: z.string().nullable(),
  last_error: z.string().nullable(),
  version: rowVersion,
})
export type ZoteroSync = z.infer<typeof zoteroSync>

/**
 * The stored options of the imports from a library: its collections, whether to import subcollections, PDFs and tags, and the
 * interval of the synchronization.
 */
export const zoteroChoice = zoteroSync.pick({
  collections: true,
  with_subcollections: true,
  with_pdfs: true,
  with_tags: true,
  synchronize: true,
})
export type ZoteroChoice = z.infer<typeof zoteroChoice>

/** Body of POST /api/zotero/imports. */
export const zoteroImport = z.object({
  project_id: z.uuid('Project not found'),
  libraries: z
    .array(
      z.object({
        library: zoteroLibraryKey,
        collections,
        seen: zoteroChoice
          .nullable()
          .optional()
          .describe('the choice that you saw, null without one: another choice answers 409 with the code changed'),
      }),
    )
    .min(1, 'Choose a library or a collection.')
    .max(LIBRARIES_MAX),
  with_subcollections: z.boolean().default(true),
  with_pdfs: z.boolean().default(true),
  with_tags: z.boolean().default(true),
  synchronize: zoteroInterval.optional().describe('without it, the schedules of the libraries do not change'),
})
export type ZoteroImport = z.infer<typeof zoteroImport>

/** Query parameters of GET /api/zotero/imports. */
export const zoteroSyncsQuery = z.object({ project_id: z.uuid('Project not found') })

/** Body of PATCH /api/zotero/imports/{id}, which changes how often papers are imported from a Zotero library. */
export const zoteroSyncPatch = z.object({ synchronize: zoteroInterval, version: seenVersion.optional() })
export type ZoteroSyncPatch = z.infer<typeof zoteroSyncPatch>

/** The result of a job that imports papers from Zotero. */
export const zoteroResult = z.object({
  import_id: z.uuid().nullable().describe('the import with the records of new items; null without new items'),
  created: z.number().int(),
  joined: z.number().int(),
  failed: z.number().int(),
  updated: z.number().int(),
  removed: z.number().int(),
  files: z.number().int().describe('PDFs that were attached'),
  not_stored: z.number().int().describe('items with a PDF that is not in the storage of Zotero'),
})
export type ZoteroResult = z.infer<typeof zoteroResult>

/** The name of a field that can differ between a document and its item in Zotero: a CSL field, or 'tags'. */
export const zoteroField = z.string().min(1).max(60)

/** The item of Zotero from which a document comes; null for other documents. */
export const zoteroOfDocument = z
  .object({
    library_name: z.string(),
    address: z.string().nullable().describe('the page of the item'),
    removed_at: z.string().nullable().describe('when a synchronization found that the item was removed in Zotero'),
    file: z.enum(['none', 'attached', 'not_stored', 'failed']).describe('the PDF of the item'),
    differences: z
      .array(z.object({ field: zoteroField, here: z.unknown(), zotero: z.unknown() }))
      .describe('fields that a user edited and that have another value in Zotero'),
  })
  .nullable()
export type ZoteroOfDocument = z.infer<typeof zoteroOfDocument>

/** Body of POST /api/documents/{id}/zotero/use, which replaces `fields` of the document by the values of its Zotero item. */
export const zoteroUse = z.object({
  fields: z.array(zoteroField).min(1).max(FIELDS_MAX),
  seen: z
    .record(zoteroField, z.unknown())
    .optional()
    .describe('the values of Zotero that you saw: a field with another value answers 409 with the code changed'),
})
export type ZoteroUse = z.infer<typeof zoteroUse>
