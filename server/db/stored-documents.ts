import type { EditedField, TextWarning } from '#shared/contract/documents.ts'
import type { Passage } from '#shared/contract/passages.ts'
import type { StoredReference } from '#shared/references/columns.ts'

/** Metadata that a PDF file contains. It is stored as input of an analysis. */
export interface StoredPdfFacts {
  metadata: Record<string, string | undefined>
  firstPage: {
    width: number
    height: number
    lines: { text: string; size: number; x: number; y: number }[]
    heads?: string[] | undefined
  } | null
}

/** A text of OCR that is poorer than the current text. It is stored until the user chooses one of the two texts. */
export interface StoredTextOffer {
  text: string
  method: 'text' | 'ocr'
  ocrPages: number[]
  warning: TextWarning | null
  pageCount: number | null
  facts: StoredPdfFacts | null
  letters: number
  current_letters: number
}

/** The columns that an analysis writes. */
export interface AnalyzedColumns {
  title: string | null
  authors: string[]
  doi_link: string | null
  publication_date: string | null
  journal_name: string | null
  journal_id: string | null
  summary: string | null
  lifestyle_recommendations: string | null
  evidence_level: string | null
  keywords: string[]
  social_post: string | null
  insights: string[]
  passages: Passage[]
  /** The authors and the date with their parts; missing in the undo data of earlier versions. */
  reference?: Pick<StoredReference, 'author' | 'issued'>
  edited_fields: EditedField[]
  analyzed_at: string | null
  analysis_model: string | null
  analysis_prompt: string | null
  analysis_prompt_version: number | null
  analysis_prompt_version_id: string | null
  /** Undefined in the undo data of earlier versions of Lectern. */
  run_id?: string | null
}

/** The columns before and after the latest repeated analysis. The undo of the analysis uses them. */
export interface StoredAnalysisUndo {
  before: AnalyzedColumns
  after: AnalyzedColumns
}
