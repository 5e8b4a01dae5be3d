import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { KeyScope } from '#shared/contract/api-keys.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { projects } from './projects.ts'

/** API keys of accounts. A revoked key stays in the table until its logged calls are deleted. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The first part of the key, `lct_` and eight characters. */
    prefix: text('prefix').notNull().unique(),
    /** SHA-256 of the key, in hexadecimal digits. */
    hash: text('hash').notNull(),
    scopes: text('scopes').array().$type<KeyScope[]>().notNull(),
    /** Whether the key works in every project of the account; otherwise only in those of `api_key_projects`. */
    all_projects: boolean('all_projects').notNull(),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    expires_at: isoTime('expires_at'),
    last_used_at: isoTime('last_used_at'),
    /** The network of the last call: /24 of an IPv4 address, /48 of an IPv6 address. */
    last_network: text('last_network'),
    /** When the e-mail about the expiry was sent. */
    reminded_at: isoTime('reminded_at'),
    revoked_at: isoTime('revoked_at'),
  },
  (table) => [index('api_keys_of_user').on(table.user_id, table.created_at)],
)

/**
 * The projects of a key without `all_projects`. Deleting a project deletes its row here. A key without rows has access to no
 * project.
 */
export const apiKeyProjects = pgTable(
  'api_key_projects',
  {
    key_id: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.key_id, table.project_id] }),
    index('api_key_projects_of_project').on(table.project_id),
  ],
)

/** Calls with API keys in the last thirty days, without their content. */
export const apiKeyCalls = pgTable(
  'api_key_calls',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    key_id: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    called_at: isoTime('called_at').notNull(),
    /** The route of the call, such as 'GET /api/projects' or 'POST /mcp verify_quote'. */
    route: text('route').notNull(),
    status: integer('status').notNull(),
    milliseconds: integer('milliseconds').notNull(),
    network: text('network').notNull(),
  },
  (table) => [
    index('api_key_calls_of_user').on(table.user_id, table.called_at),
    index('api_key_calls_of_key').on(table.key_id, table.called_at),
    index('api_key_calls_by_time').on(table.called_at),
  ],
)
