import { z } from 'zod'

/** The tabs of the settings page with their labels. */
export const TABS = {
  general: 'General',
  notifications: 'Notifications',
  appearance: 'Appearance',
  keys: 'API keys',
  zotero: 'Zotero',
  about: 'About',
} as const
export type Tab = keyof typeof TABS

/**
 * Search parameters of the settings page: the selected tab; absent for the first tab. The schema is not in the file of the
 * page, because every first visit needs the schema, but not the page.
 */
export const settingsSearch = z.object({
  tab: z
    .enum(Object.keys(TABS) as [Tab, ...Tab[]])
    .optional()
    .catch(undefined),
})
export type SettingsSearch = z.output<typeof settingsSearch>
