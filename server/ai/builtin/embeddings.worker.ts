import { parentPort } from 'node:worker_threads'
import { loadEncoder } from './encoder/encoder.ts'

/** What the worker is given: the texts of one batch. */
export interface EmbeddingBatch {
  id: number
  texts: string[]
}

/** What it gives back: the vectors one behind the other, each of length 1, or the words of an error. */
export type EmbeddingReply = { id: number; vectors: Float32Array<ArrayBuffer> } | { id: number; error: string }

const encoder = loadEncoder()

parentPort!.on('message', (batch: EmbeddingBatch) => {
  embed(batch).then(
    (vectors) => parentPort!.postMessage({ id: batch.id, vectors } satisfies EmbeddingReply, [vectors.buffer]),
    (error: unknown) => parentPort!.postMessage({ id: batch.id, error: String(error) } satisfies EmbeddingReply),
  )
})

const embed = async ({ texts }: EmbeddingBatch) => (await encoder)(texts)
