import { z } from 'zod'
import { passageField } from './passages.ts'

/** Shown and stored when no study design can be told. */
export const UNKNOWN_EVIDENCE_LEVEL = 'Unknown'

/** Evidence level after Oxford CEBM 2011: 1 is the strongest design. Stored as "Level 2: Randomised controlled trial". */
export const evidenceLevelText = (level: number | string, design: string) => `Level ${level}: ${design}`

/** An evidence level in its parts. */
export interface EvidenceLevel {
  level: 1 | 2 | 3 | 4 | 5
  /** The level as people write it, such as '2', '1b' or 'III-2'. */
  label: string
  /** The study design, or ''. */
  design: string
}

/** The prefix, an Arabic level, or a Roman one with the sub-level of the Australian NHMRC; a letter; the rest. */
const LEVEL =
  /^\s*(?<prefix>level(?:\s+of\s+evidence)?|evidence\s+level|loe)?[\s:=]*(?:(?<arabic>[1-5])|(?<roman>IV|V|I{1,3})(?:-(?<sub>[1-3]))?)(?<letter>[a-e])?(?![\p{L}\p{N}])\s*(?<mark>[:.,(–—-]*)\s*(?<design>.*?)\)?\s*$/isu
const ROMAN = ['I', 'II', 'III', 'IV', 'V']

/**
 * Reads the notations of evidence levels: "Level 2: Randomised controlled trial", "4", "Level II", "Ib", "III-2". Null for
 * 'Unknown' and free text; a Roman numeral without a prefix must be in capitals and must not begin a sentence.
 */
export function parseEvidenceLevel(text: string | null | undefined): EvidenceLevel | null {
  const { prefix, arabic, roman, sub, letter = '', mark, design = '' } = LEVEL.exec(text ?? '')?.groups ?? {}
  if (arabic) return { level: Number(arabic) as EvidenceLevel['level'], label: arabic + letter.toLowerCase(), design }
  if (!roman || (!prefix && (roman !== roman.toUpperCase() || (design && !mark)))) return null
  const level = (ROMAN.indexOf(roman.toUpperCase()) + 1) as EvidenceLevel['level']
  return { level, label: sub ? `${roman.toUpperCase()}-${sub}` : `${level}${letter.toLowerCase()}`, design }
}

/** The answer of the analysis service: the shape of the server function analyze-pdf. */
export const analysisResult = z.object({
  title: z.string().nullable(),
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

/** One statement of an analysis with the words of the paper that its maker says it rests on. */
export const quotedStatement = z.object({
  field: passageField,
  item: z.number().int().min(0),
  statement: z.string(),
  quote: z.string().nullable(),
})
export type QuotedStatement = z.infer<typeof quotedStatement>

/** What a model hands over: the result, the quotes to be looked up in the text, and the model's own name. */
export interface Analysis {
  result: AnalysisResult
  quotes: QuotedStatement[]
  model: string
}
