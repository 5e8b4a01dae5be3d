/** Public functions of server/retrieval: chunking, embedding and storing texts, and retrieving passages for a question. */
export { changeIndexPause, readIndexState } from './build-index.ts'
export { readRenewal, changeRenewal } from './renew-vectors.ts'
export { copyChunks } from './queries.ts'
export { findSimilar, retrieve, searchableDocument, type SimilarChunk } from './retrieve.ts'
export { startVectorizing, storeChunks } from './service.ts'
export { EXACT_CHUNKS, vectorIndexName } from './vector-index.ts'
