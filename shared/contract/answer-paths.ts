import { query, seg } from './address-parts.ts'

/** Addresses of the API of conversations, runs (recorded analyses and answers), evidence and saved searches. */
export const answerApi = {
  conversations: (projectId: string, params: { page?: number; limit?: number } = {}) =>
    query(`/api/projects/${seg(projectId)}/conversations`, params),
  documentConversations: (documentId: string, params: { page?: number; limit?: number } = {}) =>
    query(`/api/documents/${seg(documentId)}/conversations`, params),
  conversation: (id: string) => `/api/conversations/${seg(id)}`,
  conversationMessages: (id: string) => `/api/conversations/${seg(id)}/messages`,
  conversationExport: (id: string, format: 'md' | 'docx' | 'json') =>
    query(`/api/conversations/${seg(id)}/export`, { format }),
  answerStop: (messageId: string) => `/api/messages/${seg(messageId)}/stop`,
  answerFeedback: (messageId: string) => `/api/messages/${seg(messageId)}/feedback`,
  answerPassages: (messageId: string) => `/api/messages/${seg(messageId)}/passages`,
  runs: (projectId: string, params: { kind?: string; person?: string; page?: number; limit?: number } = {}) =>
    query(`/api/projects/${seg(projectId)}/runs`, params),
  run: (id: string) => `/api/runs/${seg(id)}`,
  runsExport: (
    projectId: string,
    params: { kind?: string; person?: string; id?: readonly string[]; format: 'json' | 'csv' },
  ) => query(`/api/projects/${seg(projectId)}/runs/export`, params),
  runExport: (id: string, format: 'json' | 'csv') => query(`/api/runs/${seg(id)}/export`, { format }),
  runComparison: (one: string, other: string) => query('/api/runs/compare', { one, other }),
  runComparisonExport: (one: string, other: string, format: 'json' | 'csv') =>
    query('/api/runs/compare/export', { one, other, format }),
  lostEvidence: (projectId: string, params: { document_id?: string; page?: number; limit?: number } = {}) =>
    query(`/api/projects/${seg(projectId)}/lost-evidence`, params),
  evidencePlaces: (id: string) => `/api/evidence/${seg(id)}/places`,
  evidencePlace: (id: string) => `/api/evidence/${seg(id)}/place`,
  savedSearches: (projectId: string) => `/api/projects/${seg(projectId)}/saved-searches`,
  savedSearch: (id: string) => `/api/saved-searches/${seg(id)}`,
} as const
