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
 * The search parameters of the page: the tab, absent for the first one. This file is separate from the page, because every first
 * visit loads it.
 */
export const settingsSearch = z.object({
  tab: z
    .enum(Object.keys(TABS) as [Tab, ...Tab[]])
    .optional()
    .catch(undefined),
})
export type SettingsSearch = z.output<typeof settingsSearch>
