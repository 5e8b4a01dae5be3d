/** Public functions of the chat room: answers to questions about one document. */
export { answerFromChunks, embedQuery } from './service.ts'
