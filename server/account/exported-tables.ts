import * as tables from '#server/db/tables/index.ts'
import { exportedDocuments, type ExportedTable, ofExportedDocuments, ofOwnImports, ofOwnProjects } from './queries.ts'

/**
 * The tables in the archive of an account, by their file name without '.json'. The rows of `profile`, `projects`, `documents`
 * and `imports` also contain the names of the stored files that the archive includes.
 */
export const EXPORTED = {
  profile: { table: tables.profiles, key: [tables.profiles.id], owner: tables.profiles.id },
  projects: { table: tables.projects, key: [tables.projects.id], owner: tables.projects.owner_id },
  memberships: {
    table: tables.projectMembers,
    key: [tables.projectMembers.project_id],
    owner: tables.projectMembers.user_id,
  },
  tags: { table: tables.tags, key: [tables.tags.id], owner: tables.tags.owner_id },
  uploads: { table: tables.uploads, key: [tables.uploads.id], owner: tables.uploads.owner_id },
  project_tags: {
    table: tables.projectTags,
    key: [tables.projectTags.project_id, tables.projectTags.tag_id],
    only: ofOwnProjects,
  },
  documents: { table: tables.documents, key: [tables.documents.id], only: exportedDocuments },
  document_tags: {
    table: tables.documentTags,
    key: [tables.documentTags.document_id, tables.documentTags.tag_id],
    only: ofExportedDocuments,
  },
  imports: { table: tables.imports, key: [tables.imports.id], owner: tables.imports.created_by },
  import_records: { table: tables.importRecords, key: [tables.importRecords.id], only: ofOwnImports },
  duplicate_answers: {
    table: tables.duplicateAnswers,
    key: [tables.duplicateAnswers.first_id, tables.duplicateAnswers.second_id],
    owner: tables.duplicateAnswers.answered_by,
  },
  joined_papers: {
    table: tables.joinedPapers,
    key: [tables.joinedPapers.id],
    owner: tables.joinedPapers.joined_by,
  },
  zotero_libraries: {
    table: tables.zoteroLibraries,
    key: [tables.zoteroLibraries.id],
    owner: tables.zoteroLibraries.created_by,
  },
  evidence: { table: tables.evidence, key: [tables.evidence.id], owner: tables.evidence.owner_id },
  saved_searches: {
    table: tables.savedSearches,
    key: [tables.savedSearches.id],
    owner: tables.savedSearches.created_by,
  },
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
  conversations: {
    table: tables.conversations,
    key: [tables.conversations.id],
    owner: tables.conversations.created_by,
  },
  messages: { table: tables.messages, key: [tables.messages.id], owner: tables.messages.asked_by },
  message_feedback: {
    table: tables.messageFeedback,
    key: [tables.messageFeedback.message_id],
    owner: tables.messageFeedback.user_id,
  },
  document_edits: {
    table: tables.documentEdits,
    key: [tables.documentEdits.id],
    owner: tables.documentEdits.edited_by,
  },
  runs: { table: tables.runs, key: [tables.runs.id], owner: tables.runs.created_by },
  usage: { table: tables.aiCalls, key: [tables.aiCalls.id], owner: tables.aiCalls.user_id },
  api_key_calls: { table: tables.apiKeyCalls, key: [tables.apiKeyCalls.id], owner: tables.apiKeyCalls.user_id },
  notices: { table: tables.notices, key: [tables.notices.id], owner: tables.notices.user_id },
  jobs: { table: tables.jobs, key: [tables.jobs.id], owner: tables.jobs.owner_id },
} satisfies Record<string, ExportedTable>

/**
 * Tables and data of a user that the archive does not contain, each with the reason. The manifest of the archive contains this
 * list.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  chunks: 'derived from extracted_text; created again by vectorizing',
  chunk_sentences: 'derived from extracted_text; created again by vectorizing',
  indexed_documents: 'the state of the index of passages',
  chunk_terms: 'the index of passages, derived from extracted_text',
  invitations: 'hashes of links that end after seven days, and addresses of other people',
  zotero_items: 'copies of items of Zotero; read again by an import',
  events: 'change notifications, deleted after an hour',
  api_keys: 'secrets of the account are never exported',
  api_key_projects: 'secrets of the account are never exported',
  passwords_and_keys: 'secrets of the account are never exported',
}
