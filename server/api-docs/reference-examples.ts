import { DUPLICATE_EXAMPLES } from './duplicate-examples.ts'

/**
 * Example request bodies of the routes for references, with invented ids, for the API documentation. The key is method and
 * path.
 */
export const REFERENCE_EXAMPLES: Record<string, unknown> = {
  ...DUPLICATE_EXAMPLES,
  'POST /api/citations': { ids: ['3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11'], style: 'apa', output: 'text' },
  'POST /api/citations/preview': { reference: { type: 'book', title: 'Sleep' }, style: 'vancouver' },
  'POST /api/admin/citation-styles': { xml: '<style>…</style>' },
  'POST /api/documents/copy': {
    document_ids: ['0b6f4c86-0a57-4a83-8b3a-7d3f2a5b8c44'],
    project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11',
  },
  'POST /api/documents/tags': {
    document_ids: ['0b6f4c86-0a57-4a83-8b3a-7d3f2a5b8c44'],
    add: ['sleep'],
    remove: ['nap'],
  },
  'POST /api/exports': { project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11', format: 'bibtex' },
  'POST /api/duplicates/search': { project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11' },
  'POST /api/identifiers/look-up': {
    project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11',
    lines: ['10.1000/182', '38552117', 'arXiv:2603.18841', '978-0-306-40615-7'],
  },
  'POST /api/identifiers/papers': {
    project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11',
    papers: [{ reference: { type: 'article-journal', title: 'Naps and sleep', DOI: '10.1000/182' } }],
  },
  'PUT /api/zotero/connection': { key: 'P9NiFoyLeZu2bZNvvuQPx7Qf' },
  'POST /api/zotero/imports': {
    project_id: '3f2f7a52-6a3b-4d0c-9a4e-0d6f2a5b8c11',
    libraries: [{ library: 'users/4711', collections: ['ABCD2345'] }],
    synchronize: 'daily',
  },
  'PATCH /api/zotero/imports/{id}': { synchronize: 'never' },
  'POST /api/documents/{id}/zotero/use': { fields: ['title'] },
}
