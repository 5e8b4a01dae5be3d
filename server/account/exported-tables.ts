import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as tables from '#server/db/tables/index.ts'

/** A table of the archive: its rows are read in the order of `key`, those of `owner` alone. */
export interface ExportedTable {
  table: PgTable
  key: readonly PgColumn[]
  /** Undefined where row-level security alone knows whose a row is. */
  owner?: PgColumn | undefined
}

/** Every table that holds a person's own rows, under the name of its file. Files are listed by `documents` and `projects`. */
export const EXPORTED: Readonly<Record<string, ExportedTable>> = {
  profile: { table: tables.profiles, key: [tables.profiles.id], owner: tables.profiles.id },
  projects: { table: tables.projects, key: [tables.projects.id], owner: tables.projects.owner_id },
  tags: { table: tables.tags, key: [tables.tags.id], owner: tables.tags.owner_id },
  project_tags: { table: tables.projectTags, key: [tables.projectTags.project_id, tables.projectTags.tag_id] },
  documents: { table: tables.documents, key: [tables.documents.id], owner: tables.documents.owner_id },
  document_tags: { table: tables.documentTags, key: [tables.documentTags.document_id, tables.documentTags.tag_id] },
  journals_added: { table: tables.journals, key: [tables.journals.id], owner: tables.journals.added_by },
  subscriptions: {
    table: tables.userRssSubscription,
    key: [tables.userRssSubscription.project_id, tables.userRssSubscription.journal_id],
    owner: tables.userRssSubscription.user_id,
  },
  article_marks: {
    table: tables.feedArticleMarks,
    key: [tables.feedArticleMarks.merge_key],
    owner: tables.feedArticleMarks.user_id,
  },
  recommendations: {
    table: tables.researchRecommendation,
    key: [tables.researchRecommendation.id],
    owner: tables.researchRecommendation.owner_id,
  },
  usage: { table: tables.aiCalls, key: [tables.aiCalls.id], owner: tables.aiCalls.user_id },
  jobs: { table: tables.jobs, key: [tables.jobs.id], owner: tables.jobs.owner_id },
}

/** What is a person's and yet not in the archive, and why: said in the manifest. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  chunks: 'made from extracted_text, and made again by vectorising',
  chunk_sentences: 'made from extracted_text, and made again by vectorising',
  events: 'notices of changes, kept for an hour',
  passwords_and_keys: 'secrets of the account are known to no archive',
}
