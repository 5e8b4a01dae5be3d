export { NotFound } from './not-found.tsx'
export { PageError } from './page-error.tsx'
export { Shell } from './shell.tsx'
