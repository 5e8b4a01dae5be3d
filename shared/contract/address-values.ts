/**
 * Values that the addresses of screens contain. Every visit loads the checks of all addresses, so the values are apart from
 * the schemas of the rows that contain them.
 */

/** Columns that the documents list can be sorted by. */
export const DOCUMENT_SORTS = [
  'title',
  'authors',
  'journal_name',
  'doi_link',
  'semantic_paperid',
  'status',
  'created_at',
  'publication_date',
] as const
export const DOCUMENTS_PAGE_SIZE = 10
export const DOCUMENTS_PAGE_SIZES = [10, 20, 30, 40, 50] as const

export const FEED_PAGE_SIZE = 20

/** The outcomes of a record of an import. */
export const RECORD_OUTCOMES = ['created', 'joined', 'skipped', 'failed'] as const

/** The kinds of runs that exist now. The specification has more. */
export const RUN_KINDS = ['analysis', 'library_answer'] as const

export const SEARCH_SCOPES = ['project', 'mine', 'shared', 'all'] as const
export const SEARCH_KINDS = ['passages', 'papers'] as const
export const SEARCH_PAGE_SIZE = 20
/** Characters of a search. */
export const LONGEST_SEARCH = 500

/** Kinds of subjects of the audit log, with their labels in the filter. */
export const AUDIT_KINDS = {
  person: 'People',
  journal: 'Journals',
  exclusion: 'Exclusions',
  import: 'Journal update',
  prompt: 'Prompts',
  style: 'Citation styles',
  price: 'Prices',
  budget: 'Budgets',
  job: 'Jobs',
  key: 'API keys',
} as const
type AuditKind = keyof typeof AUDIT_KINDS
export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as [AuditKind, ...AuditKind[]]
