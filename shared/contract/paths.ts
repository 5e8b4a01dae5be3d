import { query, seg } from './address-parts.ts'
import { answerApi } from './answer-paths.ts'
import { referenceApi } from './reference-paths.ts'
import { signInApi } from './sign-in-paths.ts'

// This file builds every address of the app and the API.

/** Builds the addresses of the pages of the web app. */
export const pages = {
  home: () => '/',
  auth: (search: { back?: string | undefined; error?: string | undefined } = {}) => query('/auth', search),
  forgotPassword: () => '/auth/forgot',
  resetPassword: (token?: string, back?: string) => query('/auth/reset', { token, back }),
  confirmEmail: (token?: string, back?: string) => query('/auth/confirm', { token, back }),
  secondStep: () => '/auth/second-step',
  driveCallback: () => '/auth/callback/google',
  projects: () => '/projects',
  add: (url?: string) => query('/add', { url }),
  deleted: () => '/projects/deleted',
  profile: () => '/profile',
  settings: () => '/settings',
  zoteroSettings: () => '/settings?tab=zotero',
  apiKeys: () => '/settings?tab=keys',
  admin: () => '/admin',
  adminUsage: () => '/admin/usage',
  adminJournals: (tab?: 'journals' | 'excluded') => query('/admin/journals', { tab }),
  adminJournal: (id: string) => `/admin/journals/${seg(id)}`,
  adminIntegrations: () => '/admin/integrations',
  adminPrompts: () => '/admin/prompts',
  adminCitationStyles: () => '/admin/citation-styles',
  adminAudit: () => '/admin/audit',
  adminSystem: () => '/admin/system',
  invitation: (token: string) => `/invitations/${seg(token)}`,
  terms: () => '/terms',
  privacy: () => '/privacy',
  cookies: () => '/cookies',
  // `address` is the first path segment of a project: `address` in the contract, or its unambiguous address.
  project: (address: string) => `/${seg(address)}`,
  overview: (address: string) => `/${seg(address)}/overview`,
  documents: (address: string) => `/${seg(address)}/documents`,
  search: (address: string, search: Parameters<typeof query>[1] = {}) => query(`/${seg(address)}/search`, search),
  ask: (address: string, search: { conversation?: string | undefined } = {}) => query(`/${seg(address)}/ask`, search),
  runs: (address: string) => `/${seg(address)}/runs`,
  run: (address: string, id: string) => `/${seg(address)}/runs/${seg(id)}`,
  runComparison: (address: string, one: string, other: string) =>
    query(`/${seg(address)}/runs/compare`, { one, other }),
  feed: (address: string) => `/${seg(address)}/feed`,
  discover: (address: string) => `/${seg(address)}/discover`,
  reports: (address: string) => `/${seg(address)}/reports`,
  people: (address: string) => `/${seg(address)}/people`,
  imports: (address: string) => `/${seg(address)}/imports`,
  import: (address: string, id: string) => `/${seg(address)}/imports/${seg(id)}`,
  duplicates: (address: string) => `/${seg(address)}/duplicates`,
  lostPlaces: (address: string) => `/${seg(address)}/lost-places`,
  document: (address: string, id: string) => `/${seg(address)}/document/${seg(id)}`,
  documentEdit: (address: string, id: string) => `/${seg(address)}/document/${seg(id)}/edit`,
  documentReference: (address: string, id: string) => `/${seg(address)}/document/${seg(id)}/reference`,
  chat: (address: string, id: string) => `/${seg(address)}/document/${seg(id)}/chat`,
} as const

/**
 * The pages of a project in the order of the navigation. Each entry is the label of a page and the name of the function in
 * `pages` that returns its address.
 */
export const PROJECT_PAGES = [
  ['Overview', 'overview'],
  ['Documents', 'documents'],
  ['Search', 'search'],
  ['Ask', 'ask'],
  ['Feed', 'feed'],
  ['Discover', 'discover'],
  ['Reports', 'reports'],
] as const

/** Builds the addresses of the resources under `/api` and of the account calls under `/auth/v1`. */
export const api = {
  site: () => '/api/site',
  ...signInApi,
  profile: (id: string) => `/api/profiles/${seg(id)}`,
  profileAvatar: (id: string) => `/api/profiles/${seg(id)}/avatar`,
  account: () => '/api/account',
  accountExport: () => '/api/account/export',
  projects: (params: { name?: string; address?: string } = {}) => query('/api/projects', params),
  project: (id: string) => `/api/projects/${seg(id)}`,
  projectHeroImage: (id: string, version?: number) => query(`/api/projects/${seg(id)}/hero-image`, { version }),
  projectDocuments: (id: string) => `/api/projects/${seg(id)}/documents`,
  projectDocumentsRestore: (id: string, params: { since?: string } = {}) =>
    query(`/api/projects/${seg(id)}/documents/restore`, params),
  projectProgress: (id: string, of: { since?: string; upload_id?: string }) =>
    query(`/api/projects/${seg(id)}/progress`, of),
  pausedUploads: (projectId: string) => `/api/projects/${seg(projectId)}/paused-uploads`,
  upload: (id: string) => `/api/uploads/${seg(id)}`,
  uploadCancel: (id: string) => `/api/uploads/${seg(id)}/cancel`,
  projectRestore: (id: string) => `/api/projects/${seg(id)}/restore`,
  projectBudget: (id: string) => `/api/projects/${seg(id)}/budget`,
  projectMembers: (id: string) => `/api/projects/${seg(id)}/members`,
  projectMember: (id: string, userId: string) => `/api/projects/${seg(id)}/members/${seg(userId)}`,
  projectTransfer: (id: string) => `/api/projects/${seg(id)}/transfer`,
  projectInvitations: (id: string) => `/api/projects/${seg(id)}/invitations`,
  projectInvitation: (id: string, invitationId: string) => `/api/projects/${seg(id)}/invitations/${seg(invitationId)}`,
  projectInvitationRenew: (id: string, invitationId: string) =>
    `/api/projects/${seg(id)}/invitations/${seg(invitationId)}/renew`,
  invitationRead: () => '/api/invitations/read',
  invitationAccept: () => '/api/invitations/accept',
  invitationDecline: () => '/api/invitations/decline',
  tags: (params: { project_id?: string } = {}) => query('/api/tags', params),
  documents: (
    params: Partial<Record<'status' | 'keyword' | 'evidence_level', readonly string[]>> & {
      project_id?: string
      search?: string
      page?: number
      limit?: number
      order_by?: string
    } = {},
  ) => query('/api/documents', params),
  ...referenceApi,
  ...answerApi,
  document: (id: string) => `/api/documents/${seg(id)}`,
  documentRestore: (id: string) => `/api/documents/${seg(id)}/restore`,
  trash: (params: { limit?: number; before?: string | undefined } = {}) => query('/api/trash', params),
  trashDocument: (id: string) => `/api/trash/documents/${seg(id)}`,
  trashProject: (id: string) => `/api/trash/projects/${seg(id)}`,
  documentFile: (id: string) => `/api/documents/${seg(id)}/file`,
  documentFetchFile: (id: string) => `/api/documents/${seg(id)}/fetch-file`,
  documentLookup: (id: string, params: { query?: string | undefined } = {}) =>
    query(`/api/documents/${seg(id)}/lookup`, params),
  papers: () => '/api/papers',
  identifiersLookUp: () => '/api/identifiers/look-up',
  identifiersPapers: () => '/api/identifiers/papers',
  documentText: (id: string) => `/api/documents/${seg(id)}/text`,
  documentExtract: (id: string) => `/api/documents/${seg(id)}/extract`,
  documentAnalyze: (id: string) => `/api/documents/${seg(id)}/analyze`,
  documentTextChoice: (id: string) => `/api/documents/${seg(id)}/text-choice`,
  documentEdits: (id: string) => `/api/documents/${seg(id)}/edits`,
  documentUndoAnalysis: (id: string) => `/api/documents/${seg(id)}/undo-analysis`,
  documentVectorize: (id: string) => `/api/documents/${seg(id)}/vectorize`,
  documentChat: (id: string) => `/api/documents/${seg(id)}/chat`,
  documentsSample: () => '/api/documents/sample',
  documentsSameFile: (contentHash: string) => query('/api/documents/same-file', { content_hash: contentHash }),
  documentsCopy: () => '/api/documents/copy',
  documentsTags: () => '/api/documents/tags',
  documentsReassign: () => '/api/documents/reassign',
  documentsDelete: () => '/api/documents/delete',
  documentsRestore: () => '/api/documents/restore',
  documentsProcess: () => '/api/documents/process',
  searchFilters: (params: { scope?: string; project_id?: string }) => query('/api/search/filters', params),
  searchNotVectorized: (params: { scope: string; project_id: string }) => query('/api/search/not-vectorized', params),
  search: (params: Parameters<typeof query>[1]) => query('/api/search', params),
  documentFilters: (projectId: string) => query('/api/documents/filters', { project_id: projectId }),
  job: (id: string) => `/api/jobs/${seg(id)}`,
  jobs: (params: { document_id?: string; project_id?: string; active?: 'true'; kind?: string; limit?: number } = {}) =>
    query('/api/jobs', params),
  jobCancel: (id: string) => `/api/jobs/${seg(id)}/cancel`,
  events: (params: { past_ms?: number } = {}) => query('/api/events', params),
  keys: () => '/api/keys',
  key: (id: string) => `/api/keys/${seg(id)}`,
  keyCalls: (params: { key_id?: string | undefined; page?: number; limit?: number } = {}) =>
    query('/api/keys/calls', params),
  notices: (params: { unread?: 'true' } = {}) => query('/api/notices', params),
  noticesRead: () => '/api/notices/read',
  zoteroConnection: () => '/api/zotero/connection',
  zoteroCollections: () => '/api/zotero/collections',
  zoteroImports: (params: { project_id?: string } = {}) => query('/api/zotero/imports', params),
  zoteroImport: (id: string) => `/api/zotero/imports/${seg(id)}`,
  documentZotero: (id: string) => `/api/documents/${seg(id)}/zotero`,
  documentZoteroUse: (id: string) => `/api/documents/${seg(id)}/zotero/use`,
  drive: () => '/api/drive',
  driveImport: () => '/api/drive/import',
  prompts: () => '/api/prompts',
  prompt: (id: string) => `/api/prompts/${seg(id)}`,
  promptVersions: (id: string) => `/api/prompts/${seg(id)}/versions`,
  promptRestore: (id: string) => `/api/prompts/${seg(id)}/restore`,
  promptVersion: (id: string) => `/api/prompt-versions/${seg(id)}`,
  promptsTry: () => '/api/prompts/try',
  adminUsage: (params: { from?: string; to?: string } = {}) => query('/api/admin/usage', params),
  adminBackend: () => '/api/admin/usage/backend',
  adminUsageExport: (params: { from?: string; to?: string; rows?: 'days' | 'calls'; bom?: '1' } = {}) =>
    query('/api/admin/usage/export', params),
  adminPrices: (params: { model?: string; reprice?: 'true' } = {}) => query('/api/admin/usage/prices', params),
  adminBudgets: () => '/api/admin/usage/budgets',
  journals: (params: { search?: string; limit?: number; has_feed?: 'true' } = {}) => query('/api/journals', params),
  adminCatalogue: (params: { search?: string; page?: number; limit?: number } = {}) =>
    query('/api/admin/journals', params),
  adminCatalogueSummary: () => '/api/admin/journals/summary',
  adminJournal: (id: string) => `/api/admin/journals/${seg(id)}`,
  adminJournalRefresh: (id: string) => `/api/admin/journals/${seg(id)}/refresh`,
  adminJournalArticles: (id: string) => `/api/admin/journals/${seg(id)}/articles`,
  adminJournalAdopt: (id: string) => `/api/admin/journals/${seg(id)}/adopt`,
  adminJournalFindFeed: (id: string) => `/api/admin/journals/${seg(id)}/find-feed`,
  adminSources: (params: { search: string; page?: number; limit?: number }) =>
    query('/api/admin/openalex-sources', params),
  adminExcluded: () => '/api/admin/excluded-journals',
  adminExcludedOne: (id: string) => `/api/admin/excluded-journals/${seg(id)}`,
  adminExcludedBulk: () => '/api/admin/excluded-journals/bulk',
  adminUpdateJournals: () => '/api/admin/update-journals',
  adminUpdateJournalsCancel: () => '/api/admin/update-journals/cancel',
  adminUpdateJournalsStatus: () => '/api/admin/update-journals-status',
  feedArticles: (params: {
    project_id: string
    page?: number
    limit?: number
    journal_id?: string
    search?: string
    starred?: 'true'
    unread?: 'true'
    unread_at?: string
  }) => query('/api/feed/articles', params),
  feedArticleMarks: (id: string) => `/api/feed/articles/${seg(id)}/marks`,
  recommendations: (params: { project_id?: string; status?: 'pending' | 'rejected'; limit?: number } = {}) =>
    query('/api/recommendations', params),
  recommendationsGenerate: () => '/api/recommendations/generate',
  recommendation: (id: string) => `/api/recommendations/${seg(id)}`,
  recommendationDocument: (id: string) => `/api/recommendations/${seg(id)}/document`,
  subscriptions: (params: { project_id?: string; journal_id?: string } = {}) => query('/api/subscriptions', params),
  subscriptionTry: () => '/api/subscriptions/try',
  subscriptionsOpml: (params: { project_id?: string } = {}) => query('/api/subscriptions/opml', params),
  adminPeople: (params: { search?: string; show?: string; page?: number; limit?: number; order_by?: string } = {}) =>
    query('/api/admin/people', params),
  adminPerson: (id: string) => `/api/admin/people/${seg(id)}`,
  adminPersonPasswordLink: (id: string) => `/api/admin/people/${seg(id)}/password-link`,
  adminSystemStatus: () => '/api/admin/system',
  adminEvaluations: () => '/api/admin/evaluations',
  adminIndex: () => '/api/admin/index',
  adminVectors: () => '/api/admin/vectors',
  adminFailedJobs: (params: { kind?: string; page?: number; limit?: number } = {}) =>
    query('/api/admin/failed-jobs', params),
  adminFailedJob: (id: string) => `/api/admin/failed-jobs/${seg(id)}`,
  adminFailedJobRetry: (id: string) => `/api/admin/failed-jobs/${seg(id)}/retry`,
  adminFailingFeeds: (params: { page?: number; limit?: number } = {}) => query('/api/admin/failing-feeds', params),
  adminFailingFeedTry: (id: string) => `/api/admin/failing-feeds/${seg(id)}/try`,
  adminAudit: (
    params: { kind?: string; search?: string; from?: string; to?: string; page?: number; limit?: number } = {},
  ) => query('/api/admin/audit', params),
  models: () => '/functions/v1/list-models',
} as const

/**
 * Returns the path of a server function: one of the routes under /functions/v1 that the specification names, such as
 * 'analyze-pdf'.
 */
export const functionPath = (name: string) => `/functions/v1/${name}`
