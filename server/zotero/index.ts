/** Public functions of the zotero room. */
export { moveItems, returnItems } from './item-queries.ts'
