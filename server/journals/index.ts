export { findJournal, findJournalByFeed } from './queries.ts'
export { addJournalByFeed, findOrCreateJournal } from './service.ts'
