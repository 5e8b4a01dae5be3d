import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { PROJECT_ROLES } from '#shared/contract/roles.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { projects } from './projects.ts'

/**
 * Invitations to projects that are neither accepted nor declined. Accepting or declining deletes the row, so that a link works
 * once.
 */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** In lower case. Null: for anyone with the link. */
    email: text('email'),
    /**
     * Set with SIGN_UP=invited when a visitor signs up with a link for anyone: the address of that visitor. From then on the link
     * is only for the account with this address.
     */
    claimed_email: text('claimed_email'),
    claimed_at: isoTime('claimed_at'),
    role: text('role', { enum: PROJECT_ROLES }).notNull(),
    message: text('message'),
    /** SHA-256 of the token in the link. */
    token_hash: text('token_hash').notNull().unique(),
    /** Null: the account is deleted. */
    invited_by: text('invited_by').references(() => user.id, { onDelete: 'set null' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    expires_at: isoTime('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_project_email').on(table.project_id, table.email),
    index('invitations_email').on(table.email),
    index('invitations_claimed_email').on(table.claimed_email),
    index('invitations_invited_by').on(table.invited_by),
    check('invitations_role', sql`role in ('viewer', 'commenter', 'reviewer', 'editor', 'resolver', 'owner')`),
  ],
)
