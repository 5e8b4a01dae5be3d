export { ZoteroDialog } from './zotero-dialog.tsx'
export { ZoteroItem } from './zotero-item.tsx'
export { ZoteroSettings } from './zotero-settings.tsx'
