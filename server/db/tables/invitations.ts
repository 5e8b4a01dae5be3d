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
    /** The invited e-mail address in lower case. Null: anyone with the link can accept. */
    email: text('email'),
    /**
     * The e-mail address of a visitor who signed up with a link for anyone, if SIGN_UP=invited. From then on, only the account
     * with this address can use the link.
     */
    claimed_email: text('claimed_email'),
    claimed_at: isoTime('claimed_at'),
    role: text('role', { enum: PROJECT_ROLES }).notNull(),
    message: text('message'),
    /** SHA-256 of the token in the link. */
    token_hash: text('token_hash').notNull().unique(),
    /** The member who sent the invitation; null after the account is deleted. */
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
