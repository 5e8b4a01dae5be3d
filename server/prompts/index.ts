export { getPrompt, listPrompts, seedPrompts } from './service.ts'
