import { readFileSync } from 'node:fs'
import type { Role } from '#server/http/route-access.ts'

/** The access rule of one route, as docs/access.md lists it. `limit` is '' if the route has no rate limit. */
interface AccessRow {
  role: Role
  limit: string
  /** The scopes that an API key needs; [] if no key may call the route. */
  scopes: string[]
}

/**
 * Reads docs/access.md and returns the access rule of every route by method and path, such as 'GET /api/projects/:id'. API
 * tests use it in place of the source of the server. A test in tests/laws checks that the page lists all mounted routes.
 */
export function readAccessTable(): Record<string, AccessRow> {
  const [, ...sections] = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8').split(/^## /m)
  return Object.fromEntries(
    sections.flatMap((section) => {
      const role = section.split('\n')[0] as Role
      const rows = section.matchAll(/^\| ([A-Z]+) \| `([^`]+)` \| [^|]* \| ([a-z-]*) *\| ([a-z ]*?) *\|$/gm)
      return [...rows].map(([, method, path, limit, scope]) => {
        const scopes = scope!.split(' ').filter(Boolean)
        return [`${method} ${path}`, { role, limit: limit!, scopes }] as const
      })
    }),
  )
}
