import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { EditedField } from '#shared/contract/documents.ts'
import type { Passage } from '#shared/contract/passages.ts'
import type { StoredReference } from '#shared/references/columns.ts'
import { isoTime, ownerId, versions } from '../columns.ts'
import type { StoredAnalysisUndo, StoredPdfFacts, StoredTextOffer } from '../stored-documents.ts'
import { user } from './auth.ts'
import { journals } from './journals.ts'
import { projects, tags } from './projects.ts'
import { promptVersions } from './prompts.ts'
import { runs } from './runs.ts'
import { uploads } from './uploads.ts'

export const documents = pgTable(
  'documents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    owner_id: ownerId().references(() => user.id, { onDelete: 'set null' }),
    project_id: uuid('project_id').references(() => projects.id),
    upload_id: uuid('upload_id'),
    filename: text('filename').notNull(),
    source_url: text('source_url'),
    content_hash: text('content_hash'),
    file_size: bigint('file_size', { mode: 'number' }),
    page_count: integer('page_count'),
    title: text('title'),
    /** Sort key of lists by title: shortened, because index rows have a maximum size. */
    title_key: text('title_key')
      .notNull()
      .generatedAlwaysAs(sql`left(lower(coalesce(nullif(title, ''), filename)), 200)`),
    doi_link: text('doi_link'),
    publication_date: date('publication_date', { mode: 'string' }),
    journal_name: text('journal_name'),
    journal_id: uuid('journal_id').references(() => journals.id, { onDelete: 'set null' }),
    semantic_paperid: text('semantic_paperid'),
    authors: text('authors')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /**
     * The abstract from a journal or a metadata service. An analysis stores the abstract that is printed in the paper only if
     * this column is empty and no user edited it.
     */
    abstract: text('abstract'),
    /** The web page of a paper that came from a feed without a DOI. */
    link: text('link'),
    retracted: boolean('retracted').notNull().default(false),
    /**
     * The bibliographic data as an item of CSL-JSON. Title, DOI, date, journal, authors, abstract and link are columns too:
     * server/documents/write-queries.ts writes both.
     */
    reference: jsonb('reference').$type<StoredReference>().notNull().default({}),
    /** The trigger `documents_reference` fills the columns from here to `first_author_match` from `reference`. */
    ref_type: text('ref_type'),
    ref_year: integer('ref_year'),
    pmid: text('pmid'),
    isbn13: text('isbn13'),
    /** The arXiv identifier without the number of its version. */
    arxiv_id: text('arxiv_id'),
    title_match: text('title_match'),
    first_author_match: text('first_author_match'),
    /**
     * When a service last supplied title, DOI, date and journal. Without consent of the user, an analysis does not overwrite
     * values that a service supplied.
     */
    metadata_checked_at: isoTime('metadata_checked_at'),
    /** The bare DOI in lower case, from any form in `doi_link`. */
    doi_key: text('doi_key').generatedAlwaysAs(
      sql`nullif(left(lower(btrim(regexp_replace(btrim(doi_link), '^(https?://(dx[.])?doi[.]org/|doi:\\s*)', '', 'i'))), 300), '')`,
    ),
    extracted_text: text('extracted_text'),
    extraction_method: text('extraction_method', { enum: ['text', 'ocr'] }),
    /** The pages (counted from 1) whose text OCR has read. */
    ocr_pages: integer('ocr_pages')
      .array()
      .notNull()
      .default(sql`'{}'`),
    text_warning: text('text_warning', { enum: ['scan', 'garbled', 'sparse', 'damaged'] }),
    offered_text: jsonb('offered_text').$type<StoredTextOffer>(),
    /**
     * Counts the changes of `extracted_text`. Work that began with an older text must not overwrite the results of a newer
     * text.
     */
    text_version: integer('text_version').notNull().default(0),
    pdf_facts: jsonb('pdf_facts').$type<StoredPdfFacts>(),
    summary: text('summary'),
    lifestyle_recommendations: text('lifestyle_recommendations'),
    evidence_level: text('evidence_level'),
    keywords: text('keywords')
      .array()
      .notNull()
      .default(sql`'{}'`),
    social_post: text('social_post'),
    insights: jsonb('insights').$type<string[]>().notNull().default([]),
    passages: jsonb('passages').$type<Passage[]>().notNull().default([]),
    /** API names of the fields that a user edited. No analysis, import or metadata look-up overwrites them without consent. */
    edited_fields: text('edited_fields')
      .array()
      .$type<EditedField[]>()
      .notNull()
      .default(sql`'{}'`),
    /**
     * The values for the undo of the latest repeated analysis. An undo sets the column to null, and so does a new text, because
     * the former passages refer to the old text.
     */
    analysis_undo: jsonb('analysis_undo').$type<StoredAnalysisUndo>(),
    status: text('status').notNull().default('pending'),
    status_message: text('status_message'),
    analysis_model: text('analysis_model'),
    /**
     * The prompt version of the analysis. `analysis_prompt` and `analysis_prompt_version` have the name of the prompt and the
     * number of the version at the time of the analysis.
     */
    analysis_prompt_version_id: uuid('analysis_prompt_version_id').references(() => promptVersions.id, {
      onDelete: 'set null',
    }),
    analysis_prompt: text('analysis_prompt'),
    analysis_prompt_version: integer('analysis_prompt_version'),
    /** The run (the recorded input and output) of the document's analysis; null for an analysis outside a project. */
    run_id: uuid('run_id').references(() => runs.id, { onDelete: 'set null' }),
    analyzed_at: isoTime('analyzed_at'),
    embedding_model: text('embedding_model'),
    vectorized_at: isoTime('vectorized_at'),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
    ...versions(),
    /** Time of soft deletion; row-level security hides the row from then on. */
    deleted_at: isoTime('deleted_at'),
  },
  (table) => [
    // Either column may be null: a document that is transferred to another account is removed from its upload.
    foreignKey({
      name: 'documents_upload_of_owner',
      columns: [table.upload_id, table.owner_id],
      foreignColumns: [uploads.id, uploads.owner_id],
    }),
    index('documents_upload')
      .on(table.upload_id)
      .where(sql`${table.upload_id} is not null`),
    // Includes the id, so that a page far down the list needs no scan of the rows before it, and the columns that the
    // table's policies check.
    index('documents_project_newest').on(
      table.project_id,
      table.created_at.desc().nullsFirst(),
      table.id,
      table.deleted_at,
      table.owner_id,
    ),
    index('documents_project_status').on(
      table.project_id,
      table.status,
      table.created_at.desc().nullsFirst(),
      table.id,
      table.deleted_at,
      table.owner_id,
    ),
    index('documents_project_title').on(
      table.project_id,
      table.title_key,
      table.created_at.desc().nullsFirst(),
      table.id,
      table.deleted_at,
      table.owner_id,
    ),
    // For documents without a project, and for the foreign key.
    index('documents_created_by').on(table.owner_id, table.project_id, table.created_at.desc().nullsFirst(), table.id),
    index('documents_doi').on(table.doi_key, table.project_id),
    // Includes the documents in the trash, so that a restored document still has its key. A single expression, so that the
    // planner uses no other index of the project to search for a key (has_citation_key).
    uniqueIndex('documents_citation_key').on(
      sql`(${table.project_id}::text || ' ' || lower(${table.reference} ->> 'citation-key'))`,
    ),
    index('documents_ref_type').on(table.project_id, table.ref_type),
    index('documents_ref_year').on(table.project_id, table.ref_year, table.publication_date),
    index('documents_pmid').on(table.project_id, table.pmid),
    index('documents_pmcid').on(table.project_id, sql`upper(${table.reference} ->> 'PMCID')`),
    index('documents_isbn13').on(table.project_id, table.isbn13),
    index('documents_arxiv_id').on(table.project_id, table.arxiv_id),
    index('documents_title_match').on(table.project_id, table.title_match),
    index('documents_first_author_match').on(table.project_id, table.first_author_match),
    index('documents_content').on(table.content_hash),
    // Several documents can have the same file: copies in other projects.
    index('documents_file').on(table.source_url),
    index('documents_run').on(table.run_id),
    // Each search counts the papers without vectors of the current model.
    index('documents_embedding_model').on(table.project_id, table.embedding_model),
    index('documents_deleted')
      .on(table.project_id, table.owner_id)
      .where(sql`${table.deleted_at} is not null`),
  ],
)

export const documentTags = pgTable(
  'document_tags',
  {
    document_id: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    tag_id: uuid('tag_id')
      .notNull()
      .references(() => tags.id, { onDelete: 'cascade' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.document_id, table.tag_id] }), index('document_tags_tag').on(table.tag_id)],
)
