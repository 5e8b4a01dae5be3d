export { findVersionRow as findPromptVersion } from './queries.ts'
export { getPrompt, listPrompts, type PromptToUse, seedPrompts } from './service.ts'
