export { getPrompt, seedPrompts } from './service.ts'
