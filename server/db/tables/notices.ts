import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Notice } from '#shared/contract/notices.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** Messages to users. The server inserts them; a request changes `read_at` only. */
export const notices = pgTable(
  'notices',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<Notice['kind']>().notNull(),
    data: jsonb('data').$type<Notice['data']>().notNull(),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    read_at: isoTime('read_at'),
  },
  (table) => [index('notices_of_user').on(table.user_id, table.created_at)],
)
