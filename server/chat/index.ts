/** Questions to one document, answered from its passages. */
export { answerFromChunks, embedQuery } from './service.ts'
