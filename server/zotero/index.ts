/** Public functions of the zotero room, which imports and synchronizes libraries of Zotero. */
export { moveItems, returnItems } from './item-queries.ts'
