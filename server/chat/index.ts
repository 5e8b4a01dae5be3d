/** Public functions of server/chat: answers to questions about one document. */
export { answerFromChunks, answerRecorded, embedQuery } from './service.ts'
