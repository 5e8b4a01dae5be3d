export { documentsQuery } from './queries.ts'
