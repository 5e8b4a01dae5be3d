import { embeddingModel, embedTexts } from '#server/ai/index.ts'
import type { SearchVector } from './vector-queries.ts'

/** A vector has 1.5 kB at 384 numbers. */
const MOST_VECTORS = 500
const recent = new Map<string, SearchVector>()

/**
 * Returns the vector of a search. That of a model in this process is cached: further pages and other filters of a search need no
 * second run of the model and no record of it.
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
