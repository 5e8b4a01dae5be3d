export { DashboardPage } from './dashboard-page.tsx'
export { peopleSearch } from './queries.ts'
