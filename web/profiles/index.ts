export { ProfilePage } from './profile-page.tsx'
export { SettingsPage, settingsSearch } from './settings-page.tsx'
