export { PromptsPage } from './prompts-page.tsx'
