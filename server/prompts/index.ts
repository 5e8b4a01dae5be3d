export { getPrompt, listPrompts, type PromptToUse, seedPrompts } from './service.ts'
