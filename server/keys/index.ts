/** Checks API keys and records their calls. */
export { countAsk, mayCallModel } from './ask-scope.ts'
export { checkKey, type KeyActor, missingScope } from './check-key.ts'
export { countFurtherFiles } from './count-files.ts'
export { keyIn } from './key-text.ts'
export { recordCall } from './record-calls.ts'
export { startKeys, stopKeys } from './upkeep.ts'
