export { recordAiCall } from './queries.ts'
