/** Public functions of server/zotero: the import and synchronization of Zotero libraries. */
export { moveItems, returnItems } from './item-queries.ts'
