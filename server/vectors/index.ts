/** Papers as vectors: cutting, embedding and storing them, and finding in them what answers a question. */
export { bm25, indexTexts } from './bm25.ts'
export { findSimilar, retrieve, searchableDocument, type SimilarChunk } from './retrieve.ts'
export { textWithoutReferences } from './references.ts'
export { startVectorizing, storeChunks } from './service.ts'
