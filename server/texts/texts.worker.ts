import { parentPort, type Transferable } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { findPassage } from '#shared/passages/find-passage.ts'
import { placeOf } from '#shared/passages/place-of.ts'
import { reanchor, relocate, similarPlaces } from '#shared/passages/reanchor.ts'
import { hasWords, splitPages } from '#shared/pdf-text/page-text.ts'
import { MAX_TEXT_CHARACTERS, MAX_TEXT_PAGES } from '#shared/contract/text-limits.ts'
import { choosePassages } from './choose-passages.ts'
import { chunkText, type TextChunk } from './chunk-text.ts'
import { compareTexts } from './compare-texts.ts'
import { countTerms } from './count-terms.ts'
import { findMissing } from './find-missing.ts'
import { groundAnswer } from './ground-answer.ts'
import { parseBody } from './parse-body.ts'
import { markTerms } from './mark-terms.ts'
import { planSentences } from './plan-sentences.ts'
import { rankPassages } from './rank-passages.ts'
import { readCandidates } from './read-candidates.ts'
import { findReferences, isInReferences, textWithoutReferences } from './references.ts'
import { scorePostings } from './score-postings.ts'
import type { GivenChunk, KeyedText, PlacedChunk, PlannedChunk, StoredCandidate, TextRequest } from './tasks.ts'

/** Number of chunks in a message to the main thread, which reads a message of this size in about 1 ms. */
const CHUNKS_A_MESSAGE = 200
/** Maximum number of sentences of a text that get vectors. Each vector takes 2 kB in the main thread, together 200 MB. */
const MAX_SENTENCES = 100_000

const port = parentPort!
port.on('message', (request: TextRequest) => {
  try {
    const result = run(request)
    send({ result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [])
  } catch (error) {
    send({ failure: failureOf(error) })
  }
})

const send = (message: WorkerMessage, transfer: Transferable[] = []) => port.postMessage(message, transfer)

function run(request: TextRequest): unknown {
  switch (request.task) {
    case 'inspect':
      return { pages: splitPages(request.text).length, hasWords: hasWords(request.text) }
    case 'passages': {
      const pages = pagesOf(textOf(request))
      return request.wanted.map(({ quote, nearPage }) => findPassage(pages, quote, { nearPage }))
    }
    case 'places': {
      const pages = pagesOf(textOf(request))
      return request.wanted.map(({ quote, nearPage }) => placeOf(pages, quote, { nearPage }))
    }
    case 'reanchor': {
      const pages = pagesOf(textOf(request))
      return request.anchors.map((anchor) => reanchor(pages, anchor))
    }
    case 'similar':
      return similarPlaces(pagesOf(textOf(request)), request.anchor)
    case 'relocate':
      return relocate(pagesOf(textOf(request)), pagesOf(request.newText), request.places)
    case 'ground':
      return groundAnswer(request.answer, pagesOf(textOf(request)))
    case 'compare':
      return compareTexts(request.newText, textOf(request))
    case 'missing':
      return findMissing(request.question, textOf(request), request)
    case 'withoutReferences':
      return textWithoutReferences(textOf(request))
    case 'chunks':
      sendPlans(chunkText(request.text))
      return { hasWords: hasWords(request.text) }
    case 'mark':
      sendPlans(mark(request.text, request.chunks))
      return null
    case 'terms': {
      const { chunks } = request
      return countTerms(typeof chunks === 'string' ? (JSON.parse(chunks) as PlacedChunk[]) : chunks)
    }
    case 'choose':
      return choose(request)
    case 'score':
      return scorePostings(request.lists, request)
    case 'rank':
      return rankPassages(readCandidates(request.candidates, request.words), request)
    case 'marks': {
      const terms = new Set(request.terms)
      return request.texts.map((text) => markTerms(text, terms))
    }
    case 'parse':
      return parseBody(request.bytes)
    case 'write':
      return new TextEncoder().encode(JSON.stringify(request.value))
  }
}

/** The last text that this worker received with a key. */
let stored: { key: string; text: string } | undefined

/**
 * Returns the text of a task. Caches a text that has a key for the next task. If the task has only a key, returns the cached
 * text.
 */
function textOf({ key, text }: KeyedText): string {
  if (text !== undefined) {
    if (key !== undefined) stored = { key, text }
    return text
  }
  if (stored?.key !== key) throw new Error('This worker does not store the text.')
  return stored.text
}

/**
 * Splits a text into pages. Cuts a text that exceeds the limits, which can only be one that was stored before the limits
 * existed.
 */
const pagesOf = (text: string) => splitPages(text.slice(0, MAX_TEXT_CHARACTERS)).slice(0, MAX_TEXT_PAGES)

function mark(text: string, chunks: readonly GivenChunk[]): TextChunk[] {
  const pages = pagesOf(text)
  const references = findReferences(pages)
  const startOf = new Map(pages.map(({ page, start }) => [page, start]))
  return chunks
    .filter(({ content }) => /[\p{L}\p{N}]/u.test(content))
    .map((chunk) => ({
      ...chunk,
      isReference: isInReferences(references, (startOf.get(chunk.pageNumber) ?? -Infinity) + chunk.pageOffset),
    }))
}

function sendPlans(chunks: readonly TextChunk[]): void {
  let sentences = 0
  for (let at = 0; at < chunks.length; at += CHUNKS_A_MESSAGE) {
    const planned = chunks
      .slice(at, at + CHUNKS_A_MESSAGE)
      .map((chunk): PlannedChunk => ({ ...chunk, sentences: chunk.isReference ? [] : planSentences(chunk) }))
    sentences += planned.reduce((sum, chunk) => sum + chunk.sentences.length, 0)
    if (sentences > MAX_SENTENCES)
      throw new AppError(
        'refused',
        `Request too large: a text may have at most ${MAX_SENTENCES.toLocaleString('en-US')} sentences to vectorize.`,
      )
    send({ progress: planned })
  }
}

function choose({ question, candidates, limit, leastRelevance }: Extract<TextRequest, { task: 'choose' }>) {
  const stored = candidates.flatMap((part) => JSON.parse(part) as StoredCandidate[])
  const known = stored.map(({ content, page_number, page_offset, sentences }) => {
    const plan = () => planSentences({ content, pageNumber: page_number, pageOffset: page_offset, isReference: false })
    // Without vectors no sentence is stored, and all are equally similar.
    const own = sentences.length > 0 ? sentences : plan().map((span) => ({ ...span, similarity: 0 }))
    return { content, pageOffset: page_offset, sentences: own }
  })
  const { chosen, ...rest } = choosePassages(question, known, limit, leastRelevance)
  const passages = chosen.map(({ index, best, coverage }) => {
    const { content, page_number, page_offset } = stored[index]!
    return { content, page_number, page_offset, best, coverage, sentences: known[index]!.sentences }
  })
  return { ...rest, passages }
}

/**
 * Returns the code and message of an error for the main thread. Only an AppError has a message for users. A SyntaxError means
 * that the bytes are not JSON.
 */
function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  if (error instanceof SyntaxError) return { code: 'malformed', message: '' }
  return { code: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
