import { readFileSync } from 'node:fs'
import type { Role } from '#server/http/route-access.ts'

/** The rule of a route in docs/access.md; `limit` is '' without a rate limit. */
interface AccessRow {
  role: Role
  limit: string
  /** The scopes that an API key needs; [] if no key may call the route. */
  scopes: string[]
}

/**
 * Returns the rules of all routes, as 'GET /api/projects/:id', from docs/access.md. A test in tests/laws compares that page with
 * the mounted routes, so the API tests do not load the source of the server.
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
