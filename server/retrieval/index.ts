/** Public functions of the vectors room: chunking, embedding and storing texts, and retrieving passages for a question. */
export { readRenewal, changeRenewal } from './renew-vectors.ts'
export { findSimilar, retrieve, searchableDocument, type SimilarChunk } from './retrieve.ts'
export { startVectorizing, storeChunks } from './service.ts'
