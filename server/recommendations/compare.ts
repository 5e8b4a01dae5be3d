import { embeddingModel, embedTexts, type AiContext } from '#server/ai/index.ts'
import type { Work } from '#server/external/index.ts'
import { bm25, indexTexts } from '#server/texts/index.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { cosine, type Signals } from './rank.ts'

/**
 * What candidates are compared with: the research question, the papers of the project (`kept`) and the dismissed
 * recommendations.
 */
export interface Compared {
  question: string
  kept: readonly { id: string; title: string }[]
  /** Titles of dismissed recommendations. */
  dismissed: readonly string[]
}

/** A candidate with its ranking signals and the project paper that is most similar to it. */
export interface ComparedWork {
  work: Work
  signals: Signals
  like: { document_id: string; title: string; likeness: number } | null
}

/**
 * Limits of the embedding, which is the expensive step. Only the best keyword matches are embedded (EMBEDDED), and a few
 * sentences (SENTENCES) of the best of them (READ).
 */
const EMBEDDED = 80
const READ = 40
const SENTENCES = 2
const SENTENCE_MAX = 300
const TITLE_MAX = 200

/**
 * Computes the ranking signals of the candidates. Returns only the best keyword matches, at most 80. Calls the embedding model
 * once, regardless of the number of papers.
 */
export async function compare(
  works: readonly Work[],
  { question, kept, dismissed }: Compared,
  ctx: AiContext,
  now: Date,
): Promise<ComparedWork[]> {
  // The title counts twice, because it names the subject of a paper.
  const index = indexTexts(works.map(({ title, abstract }) => `${title} ${title} ${abstract ?? ''}`))
  const front = bm25(index, question)
    .map((hit, at) => ({ work: works[at]!, words: hit.score }))
    .toSorted((a, b) => b.words - a.words)
    .slice(0, EMBEDDED)
  const sentences = front.map(({ work }, at) => (at < READ ? tellingSentences(work.abstract, question) : []))
  const texts = [
    question,
    ...front.map(({ work }) => work.title.slice(0, TITLE_MAX)),
    ...sentences.flat(),
    ...kept.map(({ title }) => title.slice(0, TITLE_MAX)),
    ...dismissed.map((title) => title.slice(0, TITLE_MAX)),
  ]
  // Without a model all similarities are 0, and the words decide.
  const vectors = embeddingModel().hasVectors
    ? (await embedTexts(texts, ctx)).vectors
    : texts.map(() => new Float32Array(1))
  let from = 0
  const take = (count: number) => vectors.slice(from, (from += count))
  const target = take(1)[0]!
  const titles = take(front.length)
  const read = sentences.map((one) => take(one.length))
  const keptVectors = take(kept.length)
  const dismissedVectors = take(dismissed.length)
  return front.map(({ work, words }, at) => {
    const vector = titles[at]!
    const nearest = best(keptVectors, vector)
    return {
      work,
      like: nearest && {
        document_id: kept[nearest.at]!.id,
        title: kept[nearest.at]!.title,
        likeness: nearest.likeness,
      },
      signals: {
        words,
        meaning: Math.max(...[vector, ...read[at]!].map((one) => cosine(one, target))),
        kept: nearest?.likeness ?? null,
        dismissed: best(dismissedVectors, vector)?.likeness ?? null,
        age: work.publicationDate ? (now.getTime() - Date.parse(work.publicationDate)) / (365.25 * 86_400_000) : null,
        openAccess: work.isOpenAccess,
        citedBy: work.citedBy,
        vector,
      },
    }
  })
}

/** Returns the two sentences of an abstract that share most terms with the question. */
function tellingSentences(abstract: string | null, question: string): string[] {
  const wanted = new Set(searchTerms(question))
  const whole = abstract ?? ''
  return splitSentences(whole)
    .map(({ start, end }) => whole.slice(start, end))
    .map((text) => ({ text, hits: new Set(searchTerms(text).filter((term) => wanted.has(term))).size }))
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits)
    .slice(0, SENTENCES)
    .map(({ text }) => text.slice(0, SENTENCE_MAX))
}

function best(vectors: readonly Float32Array[], to: Float32Array): { at: number; likeness: number } | null {
  let found: { at: number; likeness: number } | null = null
  for (const [at, vector] of vectors.entries()) {
    const likeness = cosine(vector, to)
    if (!found || likeness > found.likeness) found = { at, likeness }
  }
  return found
}
