export { PromptChoices } from './prompt-choices.tsx'
export { LazyPromptDialog } from './lazy-prompt-dialog.tsx'
export { PromptUsed } from './prompt-used.tsx'
export { promptsQuery } from './queries.ts'
