export { LostPlacesHint } from './lost-places-hint.tsx'
export { LostPlacesPage } from './lost-places-page.tsx'
