export { AdminFrame } from './admin-frame.tsx'
export { SearchField } from './search-field.tsx'
export { EmptyRow, LoadFailed, LoadingRows } from './table-states.tsx'
