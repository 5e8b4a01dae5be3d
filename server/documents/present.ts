import { embeddingModel } from '#server/ai/index.ts'
import type { DocumentDetail, DocumentRow } from '#shared/documents.ts'
import type { StoredDocument } from './queries.ts'

/** A stored row as the list shows it. */
export function presentRow(row: StoredDocument): DocumentRow {
  const {
    id,
    project_id,
    owner_id,
    title,
    filename,
    source_url,
    doi_link,
    publication_date,
    journal_name,
    journal_id,
    semantic_paperid,
  } = row
  const {
    evidence_level,
    keywords,
    status,
    status_message,
    analysis_model,
    analyzed_at,
    vectorized_at,
    created_at,
    updated_at,
  } = row
  const { page_count, file_size, extraction_method, text_warning } = row
  return {
    id,
    project_id,
    owner_id,
    title,
    filename,
    source_url,
    doi_link,
    publication_date,
    journal_name,
    journal_id,
    semantic_paperid,
    evidence_level,
    keywords,
    status,
    status_message,
    analysis_model,
    analyzed_at,
    vectorized_at,
    created_at,
    updated_at,
    page_count,
    file_size,
    extraction_method,
    text_warning,
  }
}

/** A stored row as its own page shows it. */
export function presentDocument(row: StoredDocument): DocumentDetail {
  return {
    ...presentRow(row),
    extracted_text: row.extracted_text,
    summary: row.summary,
    lifestyle_recommendations: row.lifestyle_recommendations,
    social_post: row.social_post,
    insights: row.insights,
    passages: row.passages,
    embedding_model: row.embedding_model,
    embedding_stale: row.vectorized_at !== null && row.embedding_model !== embeddingModel().model,
  }
}
