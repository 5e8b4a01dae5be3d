import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { ZoteroLibrary } from '#shared/contract/zotero.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { projects } from './projects.ts'

/** The API keys of users for Zotero, encrypted. A key is valid only for the Zotero server whose address is in `server`. */
export const zoteroConnections = pgTable('zotero_connections', {
  user_id: text('user_id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  server: text('server').notNull(),
  sealed_key: text('sealed_key').notNull(),
  last_four: text('last_four').notNull(),
  username: text('username').notNull(),
  libraries: jsonb('libraries').$type<ZoteroLibrary[]>().notNull(),
  /** The reason why Zotero no longer accepts the key; null if it accepts the key. */
  error: text('error'),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
})

/** Libraries of Zotero from which a project imports papers. The imports use the Zotero key of the user `created_by`. */
export const zoteroLibraries = pgTable(
  'zotero_libraries',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    created_by: text('created_by').references(() => user.id, { onDelete: 'set null' }),
    server: text('server').notNull(),
    /** 'users/123' or 'groups/45'. */
    library: text('library').notNull(),
    library_name: text('library_name').notNull(),
    /** The chosen collections; null for the whole library. */
    collections: text('collections').array(),
    collection_names: text('collection_names').array().notNull().default([]),
    /** The chosen collections and their subcollections, as they were when the library was last read. */
    read_collections: text('read_collections').array(),
    with_subcollections: boolean('with_subcollections').notNull(),
    with_pdfs: boolean('with_pdfs').notNull(),
    with_tags: boolean('with_tags').notNull(),
    synchronize: text('synchronize', { enum: ['never', 'daily', 'hourly'] }).notNull(),
    /** A trigger increments this number with each change of `synchronize`. */
    schedule_version: integer('schedule_version').notNull().default(1),
    /** The version of the library at Zotero when it was last read; null before the first import. */
    version: integer('version'),
    next_sync_at: isoTime('next_sync_at'),
    last_synced_at: isoTime('last_synced_at'),
    last_error: text('last_error'),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    unique('zotero_libraries_one').on(table.project_id, table.server, table.library),
    unique('zotero_libraries_project').on(table.id, table.project_id),
    index('zotero_libraries_due').on(table.next_sync_at),
    index('zotero_libraries_user').on(table.created_by),
  ],
)

/** Items of Zotero and their documents, with the values that the items had at the last synchronization. */
export const zoteroItems = pgTable(
  'zotero_items',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    zotero_library_id: uuid('zotero_library_id').notNull(),
    project_id: uuid('project_id').notNull(),
    item_key: text('item_key').notNull(),
    /** The version of the item that is stored; 0 or less if the item must be compared again. */
    version: integer('version').notNull(),
    /** The document of the item. Null after the document was deleted permanently; a synchronization does not add it again. */
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'set null' }),
    reference: jsonb('reference').$type<StoredReference>().notNull(),
    tags: text('tags').array().notNull().default([]),
    /** The URL of the web page of the item. */
    address: text('address'),
    /** The state of the PDF. 'unavailable': Zotero failed or was too slow. 'failed': another error, such as a refused file. */
    file: text('file', { enum: ['none', 'pending', 'attached', 'not_stored', 'unavailable', 'failed'] }).notNull(),
    /** The Zotero key of the item's PDF, if it is known without a request for the child items. */
    file_key: text('file_key'),
    removed_at: isoTime('removed_at'),
  },
  (table) => [
    foreignKey({
      name: 'zotero_items_library_fk',
      columns: [table.zotero_library_id, table.project_id],
      foreignColumns: [zoteroLibraries.id, zoteroLibraries.project_id],
    }).onDelete('cascade'),
    unique('zotero_items_one').on(table.zotero_library_id, table.item_key),
    index('zotero_items_document').on(table.document_id),
    index('zotero_items_file').on(table.zotero_library_id, table.file),
  ],
)
