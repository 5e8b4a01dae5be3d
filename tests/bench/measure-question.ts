import { readFile } from 'node:fs/promises'
import { alignWords, placesInPaper } from '#server/ai/builtin/align-words.ts'
import { measureQuestion, refuse } from '#server/ai/builtin/judge-answerable.ts'
import { NOT_READ, readTogether } from '#server/ai/builtin/cross-encoder/read-together.ts'
import type { CrossEncoder } from '#server/ai/builtin/cross-encoder/score-sentences.ts'
import { textsToCompare } from '#server/ai/builtin/quotable-sentences.ts'
import type { Encoder } from '#server/ai/builtin/sentence-model/encode.ts'
import { extractText } from '#server/extraction/extract-text.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import type { Candidate } from '#server/texts/blend.ts'
import { choosePassages } from '#server/texts/choose-passages.ts'
import { chunkText, type TextChunk } from '#server/texts/chunk-text.ts'
import { findMissing } from '#server/texts/find-missing.ts'
import { planSentences } from '#server/texts/plan-sentences.ts'
import { SIMILAR_CHUNKS } from '#shared/contract/chat.ts'
import { joinPages, pageTexts } from '#shared/pdf-text/page-text.ts'

/** Minimum similarity of a relevant passage, equal to the constant in server/retrieval. */
const LEAST_RELEVANCE = 0.22

/** A paper with the vectors of its sentences, as the server stores it. */
export interface ReadPaper {
  text: string
  chunks: readonly TextChunk[]
  sentences: readonly (readonly { start: number; end: number; vector: Float32Array }[])[]
}

/** Extracts and vectorizes a PDF in this process. */
export async function readPaper(path: string, encoder: Encoder): Promise<ReadPaper> {
  const text = joinPages(pageTexts(await extractText(path)))
  const chunks = chunkText(text).filter(({ isReference }) => !isReference)
  const plans = chunks.map(planSentences)
  const texts = chunks.flatMap(({ content, pageOffset }, at) =>
    plans[at]!.map(({ start, end }) => content.slice(start - pageOffset, end - pageOffset)),
  )
  const vectors = await encoder.embed(texts)
  const dimension = vectors.length / texts.length
  let place = 0
  const sentences = plans.map((spans) =>
    spans.map((span) => ({ ...span, vector: vectors.subarray(place * dimension, ++place * dimension) })),
  )
  return { text, chunks, sentences }
}

/**
 * The result of `judgeIn`. `isRefused` is true if the paper does not answer the question. `measures` are the inputs of the
 * regressions that decide this (see `measureQuestion`); null if no passage of the paper is relevant, or if no word of the
 * question can be compared with the passages.
 */
export interface Judged {
  isRefused: boolean
  measures: ReturnType<typeof measureQuestion>
  /** The highest score of a sentence by the cross-encoder (see `readTogether`); null if no sentence was scored. */
  score: number | null
}

/** Judges whether a paper answers a question, with the same rules and built-in models as the server. */
export async function judgeIn(
  { text, chunks, sentences }: ReadPaper,
  question: string,
  encoder: Encoder,
  crossEncoder: CrossEncoder,
): Promise<Judged> {
  const own = await encoder.embed([question])
  const cosine = (vector: Float32Array) => vector.reduce((sum, one, at) => sum + one * own[at]!, 0)
  const candidates = chunks.map(({ content, pageOffset }, at): Candidate => ({
    content,
    pageOffset,
    sentences: sentences[at]!.map(({ start, end, vector }) => ({ start, end, similarity: cosine(vector) })),
  }))
  const { chosen, weights, isFocused } = choosePassages(question, candidates, SIMILAR_CHUNKS, LEAST_RELEVANCE)
  const passages = chosen.map(({ index, best }) => {
    const { content, pageNumber, pageOffset } = chunks[index]!
    const { start, end, similarity } = best ?? { start: 0, end: 0, similarity: 0 }
    const place = { content, page_number: pageNumber, page_offset: pageOffset }
    return { ...place, start, end, similarity, sentences: candidates[index]!.sentences }
  })
  const all = textsToCompare(passages)
  const places = placesInPaper(all)
  if (places.length === 0) return { isRefused: true, measures: null, score: null }
  const texts = places.map((at) => all.texts[at]!)
  const isCompared = (at: number) => at < places.length
  const content = passages.map((one) => one.content).join('\n')
  const asked = { question, content, missing: findMissing(question, text, { isFocused }) }
  const groups = all.passages.map((one) => one.filter(isCompared)).filter((one) => one.length > 0)
  const scores = await readTogether(question, { texts, passages: groups }, () => Promise.resolve(crossEncoder))
  const score = scores && Math.max(NOT_READ, ...all.quotable.filter(isCompared).map((at) => scores[at]!))
  const compared = {
    score,
    words: await alignWords(question, texts, encoder.embedWords),
    terms: texts.map((one) => new Set(searchTerms(one))),
    units: all.units.filter((unit) => unit.every(isCompared)),
    passages: groups,
    idf: new Map(weights),
  }
  return { isRefused: refuse(asked, compared, 'paper') !== null, measures: measureQuestion(asked, compared), score }
}

/**
 * Returns the further questions about a paper from tests/bench/answerable. A line of the file begins with '+' if the paper
 * answers the question, and with '-' if it does not.
 */
export async function readFurther(paper: string): Promise<{ question: string; isAnswered: boolean }[]> {
  const file = new URL(`answerable/${paper}.txt`, import.meta.url)
  const lines = await readFile(file, 'utf8').catch(() => '')
  return lines.split('\n').flatMap((line) => {
    const [, kind, question] = /^([+-]) (.+)$/.exec(line) ?? []
    return kind && question ? [{ question, isAnswered: kind === '+' }] : []
  })
}
