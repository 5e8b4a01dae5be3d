/** Public functions of the chat room: answers to questions about one document. */
export { answerFromChunks, answerWhole, embedQuery } from './service.ts'
