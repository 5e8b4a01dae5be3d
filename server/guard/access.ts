import type { LimitName } from '#server/lib/rate-limit.ts'

/**
 * Who may call a route.
 * visitor: anybody. pending: who is signed in or has yet to answer a second factor. user: who is signed in; the answer is
 * about their own things alone. owner: who is signed in and owns what the address, the query or the body names; for
 * everybody else it is not there (404), admins included. admin: admins; others are refused (403).
 */
export type Role = 'visitor' | 'pending' | 'user' | 'owner' | 'admin'

/** A role, or a role and the limit that counts the calls of each person and address (server/lib/rate-limit.ts). */
type Rule = Role | readonly [Role, LimitName]

/**
 * Every route there is, in the order of the alphabet, and who may call it. The server asks this table before a room sees
 * the request, and tests/api/access.test.ts tries every row as everybody; a route that is not here fails that test.
 * A new route is one new line: 'METHOD /path/:id': 'role'.
 */
export const ACCESS: Readonly<Record<string, Rule>> = {
  'DELETE /api/account': 'user',
  'DELETE /api/documents/:id': 'owner',
  'DELETE /api/feed/articles/:id/marks': 'owner',
  'DELETE /api/profiles/:id/avatar': 'owner',
  'DELETE /api/projects/:id': 'owner',
  'DELETE /api/projects/:id/documents': 'owner',
  'DELETE /api/projects/:id/hero-image': 'owner',
  'DELETE /api/subscriptions': 'owner',
  'DELETE /auth/v1/factors/:factorId': 'owner',
  'GET /*': 'visitor',
  'GET /api/account': 'user',
  'GET /api/account/export': ['user', 'heavy'],
  'GET /api/admin/audit': 'admin',
  'GET /api/admin/people': 'admin',
  'GET /api/docs': 'visitor',
  'GET /api/docs/:asset': 'visitor',
  'GET /api/docs/start.js': 'visitor',
  'GET /api/documents': 'user',
  'GET /api/documents/:id': 'owner',
  'GET /api/documents/:id/file': 'owner',
  'GET /api/documents/filters': 'owner',
  'GET /api/documents/same-file': 'user',
  'GET /api/drive': 'user',
  'GET /api/events': 'user',
  'GET /api/feed/articles': 'owner',
  'GET /api/jobs': 'user',
  'GET /api/jobs/:id': 'owner',
  'GET /api/journals': 'user',
  'GET /api/openapi.json': 'visitor',
  'GET /api/profiles/:id': 'owner',
  'GET /api/projects': 'user',
  'GET /api/projects/:id': 'owner',
  'GET /api/prompts': 'user',
  'GET /api/site': 'visitor',
  'GET /api/subscriptions': 'user',
  'GET /api/subscriptions/opml': 'user',
  'GET /api/tags': 'user',
  'GET /auth/v1/callback/oidc': 'visitor',
  'GET /auth/v1/factors': 'pending',
  'GET /auth/v1/get-session': 'visitor',
  'GET /auth/v1/list-sessions': 'user',
  'GET /auth/v1/verify-email': 'visitor',
  'GET /files/avatars/profiles/:name': 'visitor',
  'GET /files/project_hero/:name': 'visitor',
  'GET /functions/v1/list-models': 'user',
  'GET /healthz': 'visitor',
  // Asks for its own token instead of a session: METRICS_TOKEN.
  'GET /metrics': 'visitor',
  'GET /readyz': 'visitor',
  'PATCH /api/admin/people/:id': 'admin',
  'PATCH /api/documents/:id': 'owner',
  'PATCH /api/profiles/:id': 'owner',
  'PATCH /api/projects/:id': 'owner',
  'POST /api/documents': ['owner', 'upload'],
  'POST /api/documents/:id/analyze': ['owner', 'ai'],
  'POST /api/documents/:id/chat': ['owner', 'ai'],
  'POST /api/documents/:id/extract': ['owner', 'ai'],
  'POST /api/documents/:id/vectorize': ['owner', 'ai'],
  'POST /api/documents/process': ['owner', 'ai'],
  'POST /api/documents/reassign': 'owner',
  'POST /api/documents/sample': ['owner', 'upload'],
  'POST /api/drive/import': ['owner', 'upload'],
  'POST /api/jobs/:id/cancel': 'owner',
  'POST /api/journals': 'user',
  'POST /api/profiles/:id/avatar': ['owner', 'upload'],
  'POST /api/projects': 'user',
  'POST /api/projects/:id/hero-image': ['owner', 'upload'],
  'POST /api/subscriptions': 'owner',
  'POST /api/subscriptions/opml': ['owner', 'upload'],
  'POST /auth/v1/change-password': 'user',
  'POST /auth/v1/factors': 'user',
  'POST /auth/v1/factors/:factorId/backup-codes': 'owner',
  'POST /auth/v1/factors/:factorId/challenge': 'pending',
  'POST /auth/v1/factors/:factorId/verify': 'pending',
  'POST /auth/v1/request-password-reset': 'visitor',
  'POST /auth/v1/reset-password': 'visitor',
  'POST /auth/v1/revoke-other-sessions': 'user',
  'POST /auth/v1/revoke-session': 'owner',
  'POST /auth/v1/sign-in/email': 'visitor',
  'POST /auth/v1/sign-in/social': 'visitor',
  'POST /auth/v1/sign-out': 'visitor',
  'POST /auth/v1/sign-up/email': 'visitor',
  'POST /functions/v1/analyze-pdf': ['user', 'ai'],
  'POST /functions/v1/extract-pdf-text': ['user', 'upload'],
  'POST /functions/v1/generate-answer': ['user', 'ai'],
  'POST /functions/v1/generate-embeddings': ['owner', 'ai'],
  'POST /functions/v1/generate-query-embedding': ['user', 'ai'],
  'POST /functions/v1/google-drive-callback': 'user',
  'POST /functions/v1/google-drive-download': 'user',
  'POST /functions/v1/google-drive-list': 'user',
  'POST /functions/v1/ocr-pdf': ['owner', 'ai'],
  'POST /functions/v1/proxy-rss': 'user',
  'POST /functions/v1/similarity-search': 'owner',
  'PUT /api/documents/:id/text': 'owner',
  'PUT /api/feed/articles/:id/marks': 'owner',
}

/** The role that a route asks for. One that nobody wrote down is for who is signed in, and fails a test. */
export const roleOf = (route: string): Role => [ACCESS[route] ?? 'user'].flat()[0] as Role

/** The limit that counts a route's calls, or null. */
export const limitOf = (route: string): LimitName | null => {
  const rule = ACCESS[route]
  return typeof rule === 'string' || rule === undefined ? null : rule[1]
}
