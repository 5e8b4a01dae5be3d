/** Papers as vectors: cutting, embedding and storing them, and finding in them what answers a question. */
export { findSimilar, retrieve, searchableDocument, type SimilarChunk } from './retrieve.ts'
export { startVectorizing, storeChunks } from './service.ts'
