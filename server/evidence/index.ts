/** Public functions of the evidence room: quotes of papers, found by the server. */
export { findEvidence } from './find-evidence.ts'
export { verifyInProject, type Verified } from './verify-in-project.ts'
