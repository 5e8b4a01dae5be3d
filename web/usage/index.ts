export { usageSearch } from './periods.ts'
export { UsagePage } from './usage-page.tsx'
export { dollars, roundedDollars } from './figures.ts'
