export { analysisFailure } from './failure-words.ts'
export { PromptChoices } from './prompt-choices.tsx'
export { PromptDialog } from './prompt-dialog.tsx'
