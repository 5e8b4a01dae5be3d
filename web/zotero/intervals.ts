import { type ZoteroInterval, ZOTERO_INTERVALS } from '#shared/contract/zotero.ts'

const LABELS: Record<ZoteroInterval, string> = { never: 'Never', daily: 'Daily', hourly: 'Hourly' }

/** Selectable intervals of the synchronization with Zotero. */
export const INTERVAL_OPTIONS = ZOTERO_INTERVALS.map((value) => ({ value, label: LABELS[value] }))

/** The option of an import that does not change the schedules of earlier imports. */
export const UNCHANGED = { value: 'unchanged', label: 'Unchanged' }
