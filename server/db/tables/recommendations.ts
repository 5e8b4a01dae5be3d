import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import type { RecommendationReason } from '#shared/contract/recommendations.ts'
import { isoTime, ownerId, versions } from '../columns.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { projects } from './projects.ts'

/**
 * Papers that were recommended to a project. Dismissed and added papers stay in the table, so that they are not recommended
 * again.
 */
export const researchRecommendation = pgTable(
  'research_recommendation',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    owner_id: ownerId().references(() => user.id, { onDelete: 'set null' }),
    title: text('title').notNull(),
    publication_date: date('publication_date', { mode: 'string' }),
    abstract: text('abstract'),
    /** A resolver URL, or the bare DOI. */
    doi_link: text('doi_link'),
    pdf_link: text('pdf_link'),
    status: text('status', { enum: ['pending', 'rejected'] })
      .notNull()
      .default('pending'),
    authors: text('authors')
      .array()
      .notNull()
      .default(sql`'{}'`),
    journal_name: text('journal_name'),
    /** The web page of the paper. */
    link: text('link'),
    openalex_id: text('openalex_id'),
    open_access: boolean('open_access').notNull().default(false),
    cited_by: integer('cited_by').notNull().default(0),
    /** A score from 0 to 1. Scores are comparable only within one search for recommendations. */
    score: real('score').notNull().default(0),
    why: jsonb('why').$type<RecommendationReason>(),
    /** When the paper was added to the project. `document_id` is its document; null after that document was deleted. */
    added_at: isoTime('added_at'),
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'set null' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    ...versions(),
  },
  (table) => [
    index('research_recommendation_project').on(table.project_id, table.status, table.created_at.desc().nullsFirst()),
    index('research_recommendation_document').on(table.document_id),
  ],
)
