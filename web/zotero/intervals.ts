import { type ZoteroInterval, ZOTERO_INTERVALS } from '#shared/contract/zotero.ts'

const LABELS: Record<ZoteroInterval, string> = { never: 'Never', daily: 'Daily', hourly: 'Hourly' }

/** Selectable intervals of the synchronization with Zotero. */
export const INTERVAL_OPTIONS = ZOTERO_INTERVALS.map((value) => ({ value, label: LABELS[value] }))
