export { DashboardPage } from './dashboard-page.tsx'
export { peopleSearch } from './search.ts'
