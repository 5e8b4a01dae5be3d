import { query, seg } from './address-parts.ts'

/** Addresses of the API of imports, citations, exports and duplicates. */
export const referenceApi = {
  imports: (params: { project_id?: string; page?: number; limit?: number } = {}) => query('/api/imports', params),
  importPreview: () => '/api/imports/preview',
  import: (id: string) => `/api/imports/${seg(id)}`,
  importFile: (id: string) => `/api/imports/${seg(id)}/file`,
  importRecords: (id: string, params: { outcome?: string | undefined; page?: number; limit?: number } = {}) =>
    query(`/api/imports/${seg(id)}/records`, params),
  importRecord: (id: string) => `/api/import-records/${seg(id)}`,
  citations: () => '/api/citations',
  exports: () => '/api/exports',
  duplicates: (params: { project_id: string; page?: number; limit?: number }) => query('/api/duplicates', params),
  duplicatesSearch: () => '/api/duplicates/search',
  citationPreview: () => '/api/citations/preview',
  duplicatesJoin: () => '/api/duplicates/join',
  duplicatesRefuse: () => '/api/duplicates/refuse',
  duplicatesAccept: () => '/api/duplicates/accept',
  duplicatesLater: () => '/api/duplicates/later',
  documentJoinedPapers: (id: string) => `/api/documents/${seg(id)}/joined-papers`,
  documentRecords: (id: string) => `/api/documents/${seg(id)}/records`,
  joinedPaperUndo: (id: string) => `/api/joined-papers/${seg(id)}/undo`,
  citationStyles: () => '/api/citation-styles',
  addedStyles: () => '/api/admin/citation-styles',
  addedStyle: (id: string) => `/api/admin/citation-styles/${seg(id)}`,
} as const
