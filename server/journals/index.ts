export { findJournal, findJournalByFeed } from './queries.ts'
export { addJournalByFeed, findOrCreateJournal, findOrNameJournal } from './service.ts'
