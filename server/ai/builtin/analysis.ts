import type { Analysis, QuotedStatement } from '#shared/contract/analysis.ts'
import type { FirstPage, PdfMetadata } from '#shared/pdf-text/page-layout.ts'
import { splitPages } from '#shared/pdf-text/page-text.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { findAuthorKeywords } from './author-keywords.ts'
import { findEvidenceLevel } from './evidence-level.ts'
import { centralLateSentences, findClaims, findFindings } from './findings.ts'
import { frontMatter } from './first-page.ts'
import { findFrontFacts } from './front-facts.ts'
import { MOST_CHARACTERS } from './most-characters.ts'
import { findKeyphrases } from './keyphrases.ts'
import { detectLanguage, stopwordsOf } from './language.ts'
import { readParagraphs } from './paragraphs.ts'
import type { Quoted } from './quoted.ts'
import { findRecommendations } from './recommendation.ts'
import { placeParagraphs } from './sections.ts'
import { writeSocialPost } from './social-post.ts'
import { readStatements, type Statement } from './statements.ts'
import { summarise } from './summary.ts'

/**
 * Input of the built-in analysis: the stored text of a paper with its [Page N] markers, and the data of the PDF if available.
 */
export interface ExtractiveInput {
  text: string
  metadata?: PdfMetadata | null
  firstPage?: FirstPage | null
}

/**
 * Analyzes a paper by quoting it; it generates nothing. Title, DOI, date and journal come from the first page and the PDF's
 * metadata. Summary, insights and recommendation are sentences of the paper. The evidence level is that of the study design
 * that the paper names. The keywords are those that the authors give, else key phrases. Missing values are null, '' or
 * 'Unknown'. Pure and deterministic; takes about 0.1 s for a paper, under 2 s for the longest text.
 */
export function analyzeExtractively(input: ExtractiveInput): Analysis {
  const metadata = input.metadata ?? null
  const firstPage = input.firstPage && input.firstPage.lines.length > 0 ? input.firstPage : null
  const paragraphs = readParagraphs(splitPages(input.text.slice(0, MOST_CHARACTERS)))
  const placed = placeParagraphs(paragraphs)
  const statements = readStatements(placed)
  const prose = statements.map((one) => one.text)
  const language = detectLanguage(prose.join(' ').slice(0, 60_000) || input.text.slice(0, 20_000))
  const stopwords = stopwordsOf(language)

  const front = frontMatter(paragraphs, firstPage)
  const { title, authors, doi, date, journal } = findFrontFacts(front, firstPage, metadata)

  const isEnglish = language === 'eng'
  const summary = summarise(statements, title?.value ?? null, stopwords)
  const findings = isEnglish ? findFindings(statements, stopwords) : centralLateSentences(statements, stopwords)
  // A paper without a study, such as one about a program or a course, has no findings: use what it claims about its subject.
  const ranked = findings.length > 0 ? findings : findClaims(statements, title?.value ?? null, stopwords)
  const insights = ranked.toSorted((a, b) => a.order - b.order)
  const advice = isEnglish ? findRecommendations(statements) : []
  const evidence = findEvidenceLevel(title?.value ?? null, isEnglish ? statements : [])
  const chosen = findAuthorKeywords(placed, metadata)
  const abstract = statements
    .filter((one) => one.role === 'abstract')
    .map((one) => one.text)
    .join(' ')
  const keywords = chosen.length > 0 ? chosen : findKeyphrases(prose, title?.value ?? '', abstract, language)
  const post = writeSocialPost(title?.value ?? null, ranked, doi?.value ?? null)

  return {
    model: BUILT_IN_MODEL.name,
    result: {
      title: title?.value ?? null,
      authors: authors.map((one) => one.value),
      doi: doi?.value ?? null,
      publication_date: date?.value ?? null,
      journal: journal?.value ?? null,
      summary: joined(summary),
      recommendation: joined(advice),
      level_of_evidence: evidence.text,
      keywords,
      social_post: post.text,
      insights: insights.map((one) => one.text),
    },
    quotes: [
      ...quotesOf('title', title),
      ...authors.map((one, item): QuotedStatement => ({
        field: 'authors',
        item,
        statement: one.value,
        quote: one.quote,
      })),
      ...quotesOf('doi_link', doi),
      ...quotesOf('publication_date', date),
      ...quotesOf('journal_name', journal),
      ...quotesOfAll('summary', summary),
      ...quotesOfAll('insights', insights),
      ...quotesOfAll('lifestyle_recommendations', advice),
      { field: 'evidence_level', item: 0, statement: evidence.text, quote: evidence.quote },
      ...keywords.map((word, item): QuotedStatement => ({ field: 'keywords', item, statement: word, quote: word })),
      ...(post.finding ? quotesOfAll('social_post', [post.finding]) : []),
    ],
  }
}

const joined = (statements: readonly Statement[]) => statements.map((one) => one.text).join(' ')

const quotesOf = (field: QuotedStatement['field'], found: Quoted | null): QuotedStatement[] =>
  found ? [{ field, item: 0, statement: found.value, quote: found.quote }] : []

const quotesOfAll = (field: QuotedStatement['field'], statements: readonly Statement[]): QuotedStatement[] =>
  statements.map((one, item) => ({ field, item, statement: one.text, quote: one.text }))
