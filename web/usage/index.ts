export { usageSearch } from './periods.ts'
export { UsagePage } from './usage-page.tsx'
export { dollars } from './figures.ts'
