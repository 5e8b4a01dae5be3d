/** Compares references of papers, to find references of the same paper. All functions are pure. */
export { candidateKeys, comparedReference, compareReferences, explainLikeness } from './compare-references.ts'
export type { ComparedReference } from './compare-references.ts'
