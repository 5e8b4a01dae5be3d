export { findOrCreateJournal } from './service.ts'
