export { ProfilePage } from './profile-page.tsx'
export { SettingsPage } from './settings-page.tsx'
export { settingsSearch } from './settings-search.ts'
