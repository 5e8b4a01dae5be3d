export { JournalPage } from './journal-page.tsx'
export { JournalsPage } from './journals-page.tsx'
export { journalsSearch } from './search.ts'
export { refreshJournals, summaryQuery } from './queries.ts'
