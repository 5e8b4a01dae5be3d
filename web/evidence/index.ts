export { LostPlacesHint } from './lost-places-hint.tsx'
export { LostPlacesNote } from './lost-places-note.tsx'
export { LostPlacesPage } from './lost-places-page.tsx'
