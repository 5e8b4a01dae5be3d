/** Public functions of server/chat: answers to questions about one document. */
export { answerFromChunks, answerWhole, embedQuery } from './service.ts'
