export { findJournal, findJournalByFeed } from './queries.ts'
export { addJournalByFeed, addMissingJournal, findOrCreateJournal, findOrNameJournal } from './service.ts'
