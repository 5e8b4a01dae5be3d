export { DiscoverPage } from './discover-page.tsx'
export { RecommendedPanel } from './recommended-panel.tsx'
