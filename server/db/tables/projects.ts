import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

const time = (name: string) =>
  isoTime(name)
    .notNull()
    .default(sql`now()`)
const owner = () =>
  text('owner_id')
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

export const projects = pgTable(
  'projects',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    owner_id: owner(),
    name: text('name').notNull(),
    description: text('description'),
    hero_image: text('hero_image'),
    research_question: text('research_question'),
    is_default: boolean('is_default').notNull().default(false),
    process_automatically: boolean('process_automatically').notNull().default(false),
    created_at: time('created_at'),
    updated_at: time('updated_at'),
    /** Time of soft deletion; row-level security hides the row from then on, and its name can be reused. */
    deleted_at: isoTime('deleted_at'),
  },
  (table) => [
    uniqueIndex('projects_owner_name')
      .on(table.owner_id, sql`lower(${table.name})`)
      .where(sql`${table.deleted_at} is null`),
    uniqueIndex('projects_one_default')
      .on(table.owner_id)
      .where(sql`${table.is_default}`),
    unique('projects_id_owner').on(table.id, table.owner_id),
  ],
)

export const tags = pgTable(
  'tags',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    owner_id: owner(),
    name: text('name').notNull(),
    created_at: time('created_at'),
  },
  (table) => [uniqueIndex('tags_owner_name').on(table.owner_id, sql`lower(${table.name})`)],
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
