export { AdminFrame } from './admin-frame.tsx'
export { SearchField } from './search-field.tsx'
export { EmptyRow, LoadingRows } from './table-states.tsx'
