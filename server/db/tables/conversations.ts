import { sql } from 'drizzle-orm'
import { boolean, check, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { AnswerScope } from '#shared/contract/conversations.ts'
import { isoTime, versions } from '../columns.ts'
import type { StoredAnswer, StoredPassage, StoredSource } from '../stored-answers.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { projects } from './projects.ts'

/** Questions with their answers, about a project or one document. `project_id` is null if that document has no project. */
export const conversations = pgTable(
  'conversations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    /** Set for a chat with one document. When the document moves to another project, its conversations move with it. */
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'cascade' }),
    /** The author. Null after the account was deleted; the private conversations of the account are deleted with it. */
    created_by: text('created_by').references(() => user.id, { onDelete: 'set null' }),
    /** Empty until the first question. */
    title: text('title').notNull().default(''),
    visibility: text('visibility', { enum: ['me', 'project'] })
      .notNull()
      .default('me'),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    /** The time of the last question. */
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
    ...versions(),
  },
  (table) => [
    index('conversations_project').on(table.project_id, table.updated_at),
    index('conversations_document').on(table.document_id),
    index('conversations_author').on(table.created_by),
    check('conversations_visibility', sql`visibility in ('me', 'project')`),
  ],
)

/** The questions of conversations with their answers. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    conversation_id: uuid('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    asked_by: text('asked_by').references(() => user.id, { onDelete: 'set null' }),
    question: text('question').notNull(),
    scope: jsonb('scope').$type<AnswerScope>().notNull(),
    leave_out_retracted: boolean('leave_out_retracted').notNull(),
    asked_at: isoTime('asked_at')
      .notNull()
      .default(sql`clock_timestamp()`),
    status: text('status', { enum: ['answering', 'done', 'stopped', 'failed'] }).notNull(),
    /** The server that writes the answer regularly sets this time, to report that it is still running. */
    alive_at: isoTime('alive_at')
      .notNull()
      .default(sql`now()`),
    error: text('error'),
    /** The quotes of an answer over a project are in the table `evidence`. Null until the first sentence is verified. */
    answer: jsonb('answer').$type<StoredAnswer>(),
    sources: jsonb('sources').$type<StoredSource[]>().notNull().default([]),
    /** The passages that the model read. */
    passages: jsonb('passages').$type<StoredPassage[]>().notNull().default([]),
    run_id: uuid('run_id'),
  },
  (table) => [
    index('messages_conversation').on(table.conversation_id, table.asked_at),
    index('messages_project').on(table.project_id),
    index('messages_author').on(table.asked_by),
    // The documents of the read passages.
    index('messages_read_documents').using('gin', sql`jsonb_path_query_array(passages, '$[*].document_id')`),
    // A user has one answer at a time.
    uniqueIndex('messages_answering')
      .on(table.asked_by)
      .where(sql`status = 'answering'`),
    check('messages_status', sql`status in ('answering', 'done', 'stopped', 'failed')`),
  ],
)

/** The feedback of a user about an answer. */
export const messageFeedback = pgTable(
  'message_feedback',
  {
    message_id: uuid('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    helpful: boolean('helpful').notNull(),
    note: text('note').notNull().default(''),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.message_id, table.user_id] }),
    index('message_feedback_user').on(table.user_id),
  ],
)
