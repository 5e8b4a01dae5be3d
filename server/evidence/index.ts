/** Public functions of server/evidence: quotes of papers, found by the server. */
export { findEvidence, type FoundEvidence } from './find-evidence.ts'
export { type EvidenceSubject, readEvidence, storeEvidence } from './store-evidence.ts'
export { moveEvidence } from './queries.ts'
export { verifyInProject, type Verified } from './verify-in-project.ts'
