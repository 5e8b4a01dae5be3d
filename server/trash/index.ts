export { startTrash, stopTrash } from './remove.ts'
