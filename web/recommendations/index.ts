export { DiscoverPage } from './discover-page.tsx'
