export { usageSearch } from './periods.ts'
export { UsagePage } from './usage-page.tsx'
export { count, dollars } from './figures.ts'
