export { AdminFrame } from './admin-frame.tsx'
export { ListPager } from './list-pager.tsx'
export { SearchField } from './search-field.tsx'
export { EmptyRow, LoadingRows } from './table-states.tsx'
