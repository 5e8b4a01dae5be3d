/**
 * Allowed values and defaults of the query parameters in the addresses of screens. Every visit loads the code that checks these
 * parameters. The values are in a file of their own, so that this code does not load the schemas of the API.
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

/**
 * The possible outcomes of one record of an import. 'created': the record became a new paper. 'joined': it is a duplicate of a
 * paper of the project or of an earlier record. 'skipped': records of its kind are not imported. 'failed': it cannot be read.
 */
export const RECORD_OUTCOMES = ['created', 'joined', 'skipped', 'failed'] as const

/**
 * The implemented kinds of runs. A run is one analysis or one answer, stored with its input and output. The specification lists
 * more kinds.
 */
export const RUN_KINDS = ['analysis', 'library_answer'] as const

export const SEARCH_SCOPES = ['project', 'mine', 'shared', 'all'] as const
export const SEARCH_KINDS = ['passages', 'papers'] as const
export const SEARCH_PAGE_SIZE = 20
/** Maximum number of characters of the text of a search. */
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
