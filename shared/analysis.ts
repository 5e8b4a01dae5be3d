import { z } from 'zod'
import { passageField } from './passages.ts'

/** Shown and stored when no study design can be told. */
export const UNKNOWN_EVIDENCE_LEVEL = 'Unknown'

/** Evidence level, Oxford CEBM 2011 style: 1 is the strongest design. Stored as "Level 2: Randomised controlled trial". */
export const evidenceLevelText = (level: number, design: string) => `Level ${level}: ${design}`

/** Reads "Level 2: Randomised controlled trial" back into its parts; null for 'Unknown' and free text. */
export function parseEvidenceLevel(
  text: string | null | undefined,
): { level: 1 | 2 | 3 | 4 | 5; design: string } | null {
  const found = /^\s*(?:level\s*)?([1-5])[a-e]?\b\s*[:.,(–—-]*\s*(.*?)\)?\s*$/is.exec(text ?? '')
  return found ? { level: Number(found[1]) as 1 | 2 | 3 | 4 | 5, design: found[2] ?? '' } : null
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
