import { embeddingModel, embedTexts } from '#server/ai/index.ts'
import type { SearchVector } from './vector-queries.ts'

/** Maximum number of cached vectors. A vector of 384 numbers has 1.5 kB. */
const MOST_VECTORS = 500
const recent = new Map<string, SearchVector>()

/**
 * Returns the vector of the text of a search. Vectors of a model that runs in this process are cached, so that the same search
 * with another page or filter neither runs the model nor records a call.
 */
export async function searchVector(text: string, context: Parameters<typeof embedTexts>[1]): Promise<SearchVector> {
  const { model: current, isFree } = embeddingModel()
  const name = `${current}\n${text}`
  const known = recent.get(name)
  if (known) return known
  const { model, vectors } = await embedTexts([text], context, { isQuery: true })
  const found = { model, vector: vectors[0]! }
  if (isFree) recent.set(name, found)
  if (recent.size > MOST_VECTORS) recent.delete(recent.keys().next().value!)
  return found
}
