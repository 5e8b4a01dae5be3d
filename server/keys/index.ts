/** Public functions of the API keys: the check of a key, and the record of its calls. */
export { checkKey, type KeyActor, missingScope } from './check-key.ts'
export { countFurtherFiles } from './count-files.ts'
export { keyIn } from './key-text.ts'
export { recordCall } from './record-calls.ts'
export { startKeys, stopKeys } from './upkeep.ts'
