import { z } from 'zod'
import type { Analysis, AnalysisResult, QuotedStatement } from '#shared/contract/analysis.ts'
import {
  ANALYSIS_FIELDS,
  ANALYSIS_NAMES,
  parseEvidenceLevel,
  evidenceLevelText,
  UNKNOWN_EVIDENCE_LEVEL,
} from '#shared/contract/analysis.ts'
import type { PassageField } from '#shared/contract/passages.ts'

/** A JSON value that is an object. */
export interface JsonObject {
  [key: string]: z.core.util.JSONType
}

const quote = z
  .string()
  .nullable()
  .describe('the words of the paper that support it, copied exactly, one or two sentences; null if there are none')
const fact = (what: string) => z.object({ text: z.string().nullable().describe(what), quote })
const statements = (what: string) => z.array(z.object({ text: z.string(), quote })).describe(what)

const asked = z.object({
  title: fact('title of the paper as printed'),
  authors: statements("all authors in their order, one per entry, given names before the family name; never 'et al.'"),
  doi: fact('DOI of this paper without any prefix, 10.…; null if it is not printed'),
  publication_date: fact('yyyy-MM-dd; the first day where only month or year is printed; null if unknown'),
  journal: fact('name of the journal or conference; null if unknown'),
  summary: statements('the summary, one complete sentence per entry'),
  recommendation: statements('what follows for practice, one complete sentence per entry; empty if nothing follows'),
  level_of_evidence: fact(
    "'Level N: design', N from 1 (systematic review) to 5 (opinion, mechanism) as in Oxford CEBM 2011; 'Unknown' if the paper does not state the design",
  ),
  keywords: statements('5 to 10 keywords'),
  social_post: fact('one short post for the public, under 280 characters'),
  insights: statements('the findings, one per entry'),
})

/** Returns the JSON Schema of the reply with which a model analyzes a paper: every statement with its quote. */
export function analysisSchema(): JsonObject {
  const { $schema: _draft, ...schema } = z.toJSONSchema(asked)
  return schema as JsonObject
}

const text = z
  .unknown()
  .transform((value) => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''))

/**
 * Accepts the forms that models without enforced schemas return: a plain string, or an object with 'sentence', 'statement' or
 * 'keyword' instead of 'text'. Any other value becomes an empty text.
 */
const looseStatement = z.union([
  z.string().transform((value) => ({ text: value.trim(), quote: null })),
  z
    .looseObject({
      text: text.optional(),
      sentence: text.optional(),
      statement: text.optional(),
      keyword: text.optional(),
      quote: text.optional(),
    })
    .transform((value) => ({
      text: value.text || value.sentence || value.statement || value.keyword || '',
      quote: value.quote || null,
    })),
  z.unknown().transform(() => ({ text: '', quote: null })),
])
type Statement = z.infer<typeof looseStatement>

const looseStatements = z
  .union([z.array(looseStatement), looseStatement.transform((one) => [one])])
  .transform((all) => all.filter((one) => one.text !== ''))

// A missing field counts as empty.
const oneLoose = looseStatement.prefault('')
const manyLoose = looseStatements.prefault([])

const reply = z.looseObject({
  title: oneLoose,
  authors: manyLoose,
  doi: oneLoose,
  publication_date: oneLoose,
  journal: oneLoose,
  summary: manyLoose,
  recommendation: manyLoose,
  level_of_evidence: oneLoose,
  keywords: manyLoose,
  social_post: oneLoose,
  insights: manyLoose,
})

/**
 * Converts the model's JSON object into an analysis. Returns null if it has neither a summary nor an insight. Invalid
 * dates and DOIs become null. An evidence level in an unknown notation is kept, cut to LEVEL_MAX characters; an empty one
 * becomes 'Unknown'.
 */
export function readAnalysis(object: Record<string, unknown>, model: string): Analysis | null {
  const parsed = reply.parse(object)
  if (parsed.summary.length === 0 && parsed.insights.length === 0) return null
  const texts = (all: Statement[]) => all.map((one) => one.text)
  const result: AnalysisResult = {
    title: nothing(parsed.title.text),
    authors: texts(parsed.authors),
    doi: plainDoi(parsed.doi.text),
    publication_date: plainDate(parsed.publication_date.text),
    journal: nothing(parsed.journal.text),
    summary: texts(parsed.summary).join(' '),
    recommendation: texts(parsed.recommendation).join(' '),
    level_of_evidence: plainLevel(parsed.level_of_evidence.text),
    keywords: texts(parsed.keywords),
    social_post: parsed.social_post.text,
    insights: texts(parsed.insights),
  }
  const quotes = ANALYSIS_NAMES.flatMap((name) => {
    const from = parsed[name]
    if (Array.isArray(from)) return quotesOf(ANALYSIS_FIELDS[name].field, from)
    const value = result[name]
    if (typeof value !== 'string' || value === '') return []
    if (name === 'level_of_evidence' && value === UNKNOWN_EVIDENCE_LEVEL) return []
    return quotesOf(ANALYSIS_FIELDS[name].field, [{ text: value, quote: from.quote }])
  })
  return { result, quotes, model }
}

const quotesOf = (field: PassageField, statements: Statement[]): QuotedStatement[] =>
  statements.map(({ text: statement, quote: words }, item) => ({ field, item, statement, quote: words }))

const nothing = (value: string) =>
  value === '' || /^(null|none|n\/a|unknown|not (available|given|stated|found))$/i.test(value) ? null : value

/** Returns the DOI in a text, such as '10.1000/xyz' in 'https://doi.org/10.1000/xyz.'; null if there is none. */
const plainDoi = (value: string) => /10\.\d{4,9}\/\S+/.exec(value)?.[0].replace(/[.,;)\]]+$/, '') ?? null

function plainDate(value: string): string | null {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value) ?? []
  const date = `${year}-${month}-${day}`
  return year && z.iso.date().safeParse(date).success ? date : null
}

/** The maximum length of an evidence level in a document's edit form, in characters. */
const LEVEL_MAX = 500

/** Normalizes a known evidence level, so that a filter groups equal levels. Returns other texts unchanged, cut to LEVEL_MAX. */
function plainLevel(value: string): string {
  const level = parseEvidenceLevel(value)
  if (level?.design) return evidenceLevelText(level.label, level.design)
  if (level) return `Level ${level.label}`
  return nothing(value)?.slice(0, LEVEL_MAX) ?? UNKNOWN_EVIDENCE_LEVEL
}
