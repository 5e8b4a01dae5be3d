export { startTrash, stopTrash } from './remove.ts'
export { bringDocumentBack } from './service.ts'
