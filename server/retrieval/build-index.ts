import { setTimeout as pause } from 'node:timers/promises'
import { asSystem, database, type Tx } from '#server/db/client.ts'
import { CHANNELS, onNotice } from '#server/events/listen.ts'
import { log } from '#server/lib/log.ts'
import { recentFailures } from '#server/lib/recent-failures.ts'
import { countTerms, type LazyText, planChunks } from '#server/texts/index.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import {
  countIndexed,
  findFront,
  findIndexedText,
  findPlacedChunks,
  findStaleDocument,
  findUncodedChunks,
  isIndexPaused,
  lockForIndex,
  markIndexed,
  type StaleDocument,
  storeCode,
  storeIndexPaused,
  storeSections,
  storeTerms,
} from './index-queries.ts'
import { FRONT_POSITION, replaceChunks } from './queries.ts'
import { encodeVector } from './vector-code.ts'
import { ensureVectorIndex } from './vector-index.ts'

/**
 * LOOK_AGAIN_MS: time in ms after which the loop searches for documents with an outdated index even without a notification of
 * the database, because a notification can be lost. ERROR_MS: delay in ms after an error.
 */
const LOOK_AGAIN_MS = 60_000
const ERROR_MS = 30_000
/** The model and dimension that are stored with chunks without vectors. */
const NO_MODEL = { model: 'words-only', dimension: 0 }

let stopping: AbortController | undefined
let running: Promise<void> | undefined
let stopListening: (() => void) | undefined
/**
 * Resolves when the loop must search for documents with an outdated index: after a notification of the database, after
 * LOOK_AGAIN_MS, or when the loop must end. It is replaced by a new promise before each search.
 */
let due = Promise.withResolvers<void>()

const failures = recentFailures()

/**
 * Starts to build the index of passages (chunks and search terms) in the background. A loop finds documents whose index is
 * missing or older than their text, and indexes one at a time, the last changed first. This includes new and changed documents,
 * and after an update of the software that changes the index, all documents. A document without vectors can then be searched by
 * words.
 */
export function startIndexing(): void {
  stopping = new AbortController()
  stopListening = onNotice((channel) => {
    if (channel === CHANNELS.index || channel === 'reconnected') due.resolve()
  })
  running = build(stopping.signal)
}

/**
 * Stops building the index of passages (for the search by words) in this process. Resolves when the current document is
 * finished or aborted.
 */
export async function stopIndexing(): Promise<void> {
  stopListening?.()
  stopping?.abort()
  due.resolve()
  await running
}

/** Waits for a notification of a changed document, at most LOOK_AGAIN_MS. */
async function nextChange(): Promise<void> {
  const timer = setTimeout(due.resolve, LOOK_AGAIN_MS)
  await due.promise
  clearTimeout(timer)
}

async function build(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let next: StaleDocument | undefined
    try {
      due = Promise.withResolvers()
      next = await asSystem(async (tx) =>
        (await isIndexPaused(tx)) ? undefined : findStaleDocument(tx, failures.skipped(Date.now())),
      )
      if (next) {
        await indexDocument(next, signal)
        failures.remove(next.id)
      } else {
        // A build takes minutes, in which this loop continues.
        void ensureVectorIndex(signal).catch((error: unknown) => {
          if (!signal.aborted) log.warn({ err: error }, 'the index of vectors could not be built')
        })
        await nextChange()
      }
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error, document: next?.id }, 'the index of a document could not be built')
      if (next) failures.add({ id: next.id, version: next.change }, Date.now())
      else await pause(ERROR_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
}

/**
 * Builds the index of one document. If the document has chunks with vectors of its current text, keeps the chunks and stores
 * their terms. Otherwise replaces the chunks by chunks without vectors, made from the text, or from the title and abstract if
 * there is no text.
 */
async function indexDocument(document: StaleDocument, signal: AbortSignal): Promise<void> {
  // Not the queue of the user's own requests: the loop, and so all other documents, would wait for all of them.
  const owner = { signal, person: `index ${document.owner_id}` }
  if (document.is_vectorized && document.has_chunks) return indexChunks(document, owner)
  const front = document.has_text ? null : await asSystem((tx) => findFront(tx, document.id))
  const planned = document.has_text
    ? (await planChunks(owner, textOf(document))).chunks
    : front === null
      ? []
      : [{ content: front, pageNumber: 0, pageOffset: 0, isReference: false }]
  const chunks = planned.map((chunk) => ({ ...chunk, sentences: [], embedding: null }))
  const first = document.has_text ? 0 : FRONT_POSITION
  const terms = await countTerms(owner, placed(chunks, first))
  await asSystem(async (tx) => {
    if (!(await lockForIndex(tx, document))) return
    if (chunks.length === 0) await markIndexed(tx, document.id)
    else await replaceChunks(tx, document, chunks, { ...NO_MODEL, terms, first, hasCodes: false })
  })
}

/**
 * Returns the position and content of each chunk that is indexed. Chunks of reference lists are omitted, but count in the
 * positions, which begin at `first`.
 */
export const placed = (chunks: readonly { content: string; isReference: boolean }[], first: number) =>
  chunks.flatMap(({ content, isReference }, index) => (isReference ? [] : [{ position: first + index, content }]))

const textOf = ({ id, bytes }: StaleDocument): LazyText => ({
  size: bytes,
  load: async () => (await asSystem((tx) => findIndexedText(tx, id))) ?? '',
})

async function indexChunks(document: StaleDocument, owner: { signal: AbortSignal; person: string }): Promise<void> {
  const { id } = document
  while (database().embedded) {
    const uncoded = await asSystem((tx) => findUncodedChunks(tx, id))
    if (uncoded.length === 0 || owner.signal.aborted) break
    await asSystem(async (tx) => {
      for (const chunk of uncoded) await storeCode(tx, chunk.id, encodeVector(chunk.embedding!))
    })
  }
  const terms = await countTerms(owner, await asSystem((tx) => findPlacedChunks(tx, id)))
  await asSystem(async (tx) => {
    if (!(await lockForIndex(tx, document))) return
    await storeSections(tx, id, terms.sections)
    await storeTerms(tx, id, terms)
  })
}

/**
 * Returns the number of documents in the index of passages, the number of documents that wait to be indexed, and whether the
 * building of the index is paused.
 */
export async function readIndexState(tx: Tx): Promise<SystemStatus['index']> {
  return { ...(await countIndexed(tx)), is_paused: await isIndexPaused(tx) }
}

/** Pauses or continues the building of the index, in all processes. */
export const changeIndexPause = (tx: Tx, isPaused: boolean): Promise<void> => storeIndexPaused(tx, isPaused)
