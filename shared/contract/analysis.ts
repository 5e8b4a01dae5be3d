import { z } from 'zod'
import { type PassageField, passageField } from './passages.ts'

/** The evidence level that is stored and shown if the study design cannot be determined. */
export const UNKNOWN_EVIDENCE_LEVEL = 'Unknown'

/**
 * Returns an evidence level as it is stored: 'Level 2: Randomised controlled trial'. The levels are those of Oxford CEBM 2011;
 * level 1 is the strongest design.
 */
export const evidenceLevelText = (level: number | string, design: string) => `Level ${level}: ${design}`

/** A parsed evidence level: its number, its notation and the study design. */
export interface EvidenceLevel {
  level: 1 | 2 | 3 | 4 | 5
  /** Normalized notation of the level, such as '2', '1b' or 'III-2'. */
  label: string
  /** The study design, or ''. */
  design: string
}

/**
 * Matches an evidence level: an optional prefix, an Arabic or Roman numeral, an optional sub-level (after a Roman numeral, as
 * NHMRC in Australia writes it), an optional letter and the study design.
 */
const LEVEL =
  /^\s*(?<prefix>level(?:\s+of\s+evidence)?|evidence\s+level|loe)?[\s:=]*(?:(?<arabic>[1-5])|(?<roman>IV|V|I{1,3})(?:-(?<sub>[1-3]))?)(?<letter>[a-e])?(?![\p{L}\p{N}])\s*(?<mark>[:.,(–—-]*)\s*(?<design>.*?)\)?\s*$/isu
const ROMAN = ['I', 'II', 'III', 'IV', 'V']

/**
 * Parses an evidence level: "Level 2: Randomised controlled trial", "4", "Level II", "Ib", "III-2". Returns null for
 * 'Unknown' and free text. A Roman numeral without a prefix such as 'Level' must be in capitals, and punctuation must
 * separate it from the text that follows.
 */
export function parseEvidenceLevel(text: string | null | undefined): EvidenceLevel | null {
  const { prefix, arabic, roman, sub, letter = '', mark, design = '' } = LEVEL.exec(text ?? '')?.groups ?? {}
  if (arabic) return { level: Number(arabic) as EvidenceLevel['level'], label: arabic + letter.toLowerCase(), design }
  if (!roman || (!prefix && (roman !== roman.toUpperCase() || (design && !mark)))) return null
  const level = (ROMAN.indexOf(roman.toUpperCase()) + 1) as EvidenceLevel['level']
  return { level, label: sub ? `${roman.toUpperCase()}-${sub}` : `${level}${letter.toLowerCase()}`, design }
}

/** Result of an analysis, in the shape that the server function analyze-pdf returns. */
export const analysisResult = z.object({
  title: z.string().nullable(),
  authors: z.array(z.string()).describe("in their order, 'Given Family'; empty if not found"),
  doi: z.string().nullable(),
  publication_date: z.string().nullable().describe('yyyy-MM-dd, or null'),
  journal: z.string().nullable(),
  summary: z.string(),
  recommendation: z.string(),
  level_of_evidence: z.string(),
  keywords: z.array(z.string()),
  social_post: z.string(),
  insights: z.array(z.string()),
})
export type AnalysisResult = z.infer<typeof analysisResult>

/**
 * For each field of an analysis result: the document field that stores it, and how its value is divided into statements. The
 * server searches the paper for each statement. 'value': the whole value is one statement. 'sentences': each sentence is a
 * statement. 'list': each entry of the list is a statement.
 */
export const ANALYSIS_FIELDS = {
  title: { field: 'title', parts: 'value' },
  authors: { field: 'authors', parts: 'list' },
  doi: { field: 'doi_link', parts: 'value' },
  publication_date: { field: 'publication_date', parts: 'value' },
  journal: { field: 'journal_name', parts: 'value' },
  summary: { field: 'summary', parts: 'sentences' },
  insights: { field: 'insights', parts: 'list' },
  recommendation: { field: 'lifestyle_recommendations', parts: 'sentences' },
  level_of_evidence: { field: 'evidence_level', parts: 'value' },
  keywords: { field: 'keywords', parts: 'list' },
  social_post: { field: 'social_post', parts: 'sentences' },
} as const satisfies Record<keyof AnalysisResult, { field: PassageField; parts: 'value' | 'sentences' | 'list' }>

/** The names of the fields of an analysis result. */
export const ANALYSIS_NAMES = Object.keys(ANALYSIS_FIELDS) as (keyof AnalysisResult)[]

/** The values of an analysis result, with the names of the document fields that store them as keys. */
export type AnalysisValues = {
  [Name in keyof AnalysisResult as (typeof ANALYSIS_FIELDS)[Name]['field']]: AnalysisResult[Name]
}

/** Returns the values of an analysis result, with the names of the document fields that store them as keys. */
export const analysisValues = (result: AnalysisResult): AnalysisValues =>
  Object.fromEntries(ANALYSIS_NAMES.map((name) => [ANALYSIS_FIELDS[name].field, result[name]])) as AnalysisValues

/**
 * One statement of an analysis. `item` is the index of the statement in the value of its field, from 0. `quote` is the passage
 * of the paper that the model cites for the statement, or null.
 */
export const quotedStatement = z.object({
  field: passageField,
  item: z.number().int().min(0),
  statement: z.string(),
  quote: z.string().nullable(),
})
export type QuotedStatement = z.infer<typeof quotedStatement>

/** Output of a model: the result, the quotes to search for in the text, and the model's name. */
export interface Analysis {
  result: AnalysisResult
  quotes: QuotedStatement[]
  model: string
}
