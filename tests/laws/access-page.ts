import type { Role, RouteAccess } from '#server/http/route-access.ts'

const MEMBERS =
  'Members of the project of the object that the path, the query or the body names. Other members get 403, other users 404. The role has the right'

const ROLES: Record<Role, string> = {
  visitor: 'Everyone, without a session.',
  pending: 'A signed-in user, or a session that waits for its second factor.',
  user: "A signed-in user. The response contains only the user's own data, or data of the whole installation.",
  read: `${MEMBERS} read, which every role has.`,
  comment: `${MEMBERS} comment.`,
  ask: `${MEMBERS} ask: reviewer, editor, resolver and owner.`,
  review: `${MEMBERS} review.`,
  edit: `${MEMBERS} edit: editor, resolver and owner.`,
  resolve: `${MEMBERS} resolve.`,
  manage: `${MEMBERS} manage: owner. Each member may make the project the own default.`,
  owner: 'The owner of the object that the path, the query or the body names. Other users get 404, admins included.',
  'owner or admin': 'As owner; admins get the object, too.',
  admin: 'Admins. Other users get 403.',
}

/** Returns the Markdown of docs/access.md: every route with its body and its rate limit, grouped by role. */
export function accessPage(table: Readonly<Record<string, RouteAccess>>): string {
  const used = Object.entries(ROLES).filter(([role]) => Object.values(table).some((rule) => rule.role === role))
  const sections = used.map(([role, meaning]) => {
    const rows = Object.entries(table)
      .filter(([, rule]) => rule.role === role)
      .map(([route, { body, maxBytes, limit, scope }]) => {
        const [method, path] = route.split(' ')
        const size = maxBytes === undefined ? '' : `, ${maxBytes / 1024} KB`
        return {
          path,
          row: `| ${method} | \`${path}\` | ${body === 'none' ? '' : body}${size} | ${limit === 'none' ? '' : limit} | ${scope === 'none' ? '' : scope} |`,
        }
      })
      .toSorted((one, other) => (`${one.path} ${one.row}` < `${other.path} ${other.row}` ? -1 : 1))
    return [
      `## ${role}`,
      '',
      meaning,
      '',
      '| | route | body | rate limit | key |',
      '| --- | --- | --- | --- | --- |',
      ...rows.map(({ row }) => row),
      '',
    ].join('\n')
  })
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `# Access rules

\`npm run access\` writes this page from the routes; a test fails while it is not current. The rule of a route is at its definition
(\`server/http/define-route.ts\`), and the server does not start with a route without one. \`ALL\` means an address without a route.

A body is *json* (up to 2 MB), *text* (JSON with the text of a paper, up to 64 MB) or *file* (streamed; its reader counts the bytes).
Without a kind, the route reads no body. A rate limit counts calls by user and by client address (\`server/http/rate-limit.ts\`). The
routes under \`/auth/v1\` also have limits of their own, by e-mail address and network. *key* names the scopes that an API key
needs; without one, no key may call the route, and a route for visitors does not read it.
`
