import { sql } from 'drizzle-orm'
import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime, versions } from '../columns.ts'
import { user } from './auth.ts'

/**
 * One row per user; `id` is the account's id. The restricted role, as which the server runs the requests of users, cannot write
 * `is_admin`, `disabled_at` and `last_sign_in_at`.
 */
export const profiles = pgTable('profiles', {
  id: text('id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  email: text('email').notNull(),
  full_name: text('full_name'),
  display_name: text('display_name'),
  bio: text('bio'),
  avatar_url: text('avatar_url'),
  is_admin: boolean('is_admin').notNull().default(false),
  /** When the account was disabled; null when enabled. */
  disabled_at: isoTime('disabled_at'),
  last_sign_in_at: isoTime('last_sign_in_at'),
  email_notifications: boolean('email_notifications').notNull().default(true),
  theme: text('theme', { enum: ['light', 'dark', 'system'] })
    .notNull()
    .default('system'),
  font_size: text('font_size', { enum: ['small', 'medium', 'large'] })
    .notNull()
    .default('medium'),
  created_at: isoTime('created_at')
    .notNull()
    .default(sql`now()`),
  updated_at: isoTime('updated_at')
    .notNull()
    .default(sql`now()`),
  ...versions(),
})
