import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { PROJECT_ROLES } from '#shared/contract/roles.ts'
import { isoTime, versions } from '../columns.ts'
import { user } from './auth.ts'
import { projects } from './projects.ts'

/**
 * The members of the projects and their roles. A trigger on `projects` inserts the row of the first owner. The member in
 * `projects.owner_id` always has the role owner, so that every project has an owner.
 */
export const projectMembers = pgTable(
  'project_members',
  {
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    role: text('role', { enum: PROJECT_ROLES }).notNull(),
    /** True for the project that is selected first on the member's pages; at most one project of each user. */
    is_default: boolean('is_default').notNull().default(false),
    /** The user who added the member. Null if the member created the project, or if that user's account is deleted. */
    added_by: text('added_by').references(() => user.id, { onDelete: 'set null' }),
    added_at: isoTime('added_at')
      .notNull()
      .default(sql`now()`),
    last_seen_at: isoTime('last_seen_at'),
    ...versions(),
  },
  (table) => [
    primaryKey({ columns: [table.project_id, table.user_id] }),
    index('project_members_user').on(table.user_id),
    uniqueIndex('project_members_one_default')
      .on(table.user_id)
      .where(sql`${table.is_default}`),
    check('project_members_role', sql`role in ('viewer', 'commenter', 'reviewer', 'editor', 'resolver', 'owner')`),
  ],
)
