export { ComparisonPage } from './comparison-page.tsx'
export { RunPage } from './run-page.tsx'
export { RunsPage } from './runs-page.tsx'
export { comparisonSearch, runsSearch } from './search.ts'
