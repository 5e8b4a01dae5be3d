export { analysisFailure } from './failure-words.ts'
export { PromptDialog } from './prompt-dialog.tsx'
