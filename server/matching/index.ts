/** Compares references, to find those of the same paper. Pure functions. */
export { candidateKeys, comparedReference, compareReferences, explainLikeness } from './compare-references.ts'
export type { ComparedReference } from './compare-references.ts'
