/** Stores the runs (recorded analyses or answers) of models: the input of each run, its output and its cost. */
export {
  changePrivacy,
  endRun,
  findStoredOutput,
  finishRun,
  originOf,
  type RunOrigin,
  type RunOutcome,
  startRun,
} from './record-run.ts'
export { hashText, type RunRequest } from './hash-input.ts'
export type { StoredOutput } from './queries.ts'
export { placesOf } from './why-missing.ts'
export { startRunWatch, stopRunWatch } from './watch-runs.ts'
