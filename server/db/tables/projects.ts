import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime, ownerId, versions } from '../columns.ts'
import { user } from './auth.ts'

const time = (name: string) =>
  isoTime(name)
    .notNull()
    .default(sql`now()`)

export const projects = pgTable(
  'projects',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The main owner. This user is always a member with the role owner. The project names of a main owner are unique. */
    owner_id: text('owner_id')
      .notNull()
      .references(() => user.id),
    name: text('name').notNull(),
    description: text('description'),
    hero_image: text('hero_image'),
    research_question: text('research_question'),
    /** The id of a citation style; null: no default. */
    citation_style: text('citation_style'),
    /** The language of citations in styles without a language, as 'de-DE'. */
    citation_language: text('citation_language'),
    process_automatically: boolean('process_automatically').notNull().default(false),
    created_at: time('created_at'),
    updated_at: time('updated_at'),
    ...versions(),
    /** Time of soft deletion. From then on, row-level security hides the row, and the name of the project can be reused. */
    deleted_at: isoTime('deleted_at'),
  },
  (table) => [
    uniqueIndex('projects_owner_name')
      .on(table.owner_id, sql`lower(${table.name})`)
      .where(sql`${table.deleted_at} is null`),
    // Includes deleted projects, because they can be restored.
    uniqueIndex('projects_unambiguous_address').on(sql`lower(${table.name})`, sql`left(${table.id}::text, 4)`),
  ],
)

export const tags = pgTable(
  'tags',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    owner_id: ownerId().references(() => user.id, { onDelete: 'set null' }),
    /** The project of the tag; null: a tag of the account's documents without a project. */
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    created_at: time('created_at'),
  },
  (table) => [
    uniqueIndex('tags_project_name').on(table.project_id, sql`lower(${table.name})`),
    uniqueIndex('tags_name_without_project')
      .on(table.owner_id, sql`lower(${table.name})`)
      .where(sql`project_id is null`),
  ],
)

export const projectTags = pgTable(
  'project_tags',
  {
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    tag_id: uuid('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    created_at: time('created_at'),
  },
  (table) => [primaryKey({ columns: [table.project_id, table.tag_id] }), index('project_tags_tag').on(table.tag_id)],
)
