/**
 * Returns the changes of existing files that the code of a new feature needs, by path. `room` is the name of the folders for
 * this code; the other names come from `roomNames`. Each change is a function from the text of the file to the changed text. It
 * throws an error if the file does not contain the expected place.
 */
export function roomEdits({ room, table, plural, single, label }) {
  return {
    'server/db/tables/index.ts': (text) => `${text}export * from './${room}.ts'\n`,
    'server/app.ts': (text) =>
      before(
        before(text, 'import { routes as site }', `import { routes as ${plural} } from './${room}/routes.ts'\n`),
        "  ])\n    app.route('/api', room)",
        `    ${plural},\n`,
      ),
    'server/account/exported-tables.ts': (text) => {
      const own = `tables.${plural}`
      return before(text, '  jobs: {', `  ${table}: { table: ${own}, key: [${own}.id], owner: ${own}.owner_id },\n`)
    },
    'server/api-docs/examples.ts': (text) =>
      before(text, "  'POST /auth/v1/sign-up/email'", `  'POST /api/${room}': { title: 'Naps in old age' },\n`),
    'server/api-docs/contract.ts': (text) => `${text}export * as ${plural} from '#shared/contract/${room}.ts'\n`,
    'shared/contract/paths.ts': (text) =>
      before(
        before(text, "  admin: () => '/admin',", `  ${plural}: () => '/${room}',\n`),
        '  profile: (id: string) => `/api/profiles',
        `  ${plural}: (params: { page?: number; limit?: number } = {}) => query('/api/${room}', params),\n` +
          `  ${single}: (id: string) => \`/api/${room}/\${seg(id)}\`,\n`,
      ),
    'shared/contract/projects.ts': (text) => before(text, "  'api',\n", `  '${room}',\n`),
    'web/shell/use-commands.ts': (text) =>
      before(text, '    ...(session.profile.is_admin', `    { name: '${label}', to: pages.${plural}() },\n`),
    'ARCHITECTURE.md': (text) => withRoom(withRoom(text, 'server', room), 'web', room),
    'tests/laws/expected-access.ts': (text) =>
      before(
        before(text, "    '/api/profiles/:id/avatar", `    '/api/${room}/:id: DELETE',\n`),
        "    '/api/tags: GET',",
        `    '/api/${room}: GET POST',\n`,
      ),
    'tests/api/access.test.ts': (text) =>
      before(
        text,
        "  '/api/recommendations/:id':",
        `  '/api/${room}/:id': async () =>\n    (await ada.client.json<{ data: { id: string } }>(api.${plural}(), { body: { title: 'Own' } })).data.id,\n`,
      ),
    'tests/api/row-level-security.test.ts': (text) =>
      before(
        text,
        '  ai_calls: {',
        `  ${table}: {\n    insert: \`insert into ${table} (owner_id, title) values ('\${ALICE}', 'T')\`,\n    change: \`title = 'x'\`,\n    access: 'personal',\n  },\n`,
      ),
  }
}

/** Returns the text with lines inserted before the first occurrence of `place`. */
function before(text, place, lines) {
  const at = text.indexOf(place)
  if (at === -1) throw new Error(`There is no '${place.trim()}' to insert '${lines.trim()}' before.`)
  return text.slice(0, at) + lines + text.slice(at)
}

/**
 * Returns the text of ARCHITECTURE.md with a new room in the list of rooms of `side` (server or web), in alphabetical order.
 */
function withRoom(page, side, room) {
  const start = page.indexOf(`\n${side}/ `)
  return (
    page.slice(0, start) +
    page
      .slice(start)
      .replace(
        /^( {2}<rooms> +)(.+)$/m,
        (_, head, rooms) =>
          head + [...rooms.split(' '), room].toSorted((one, other) => (one < other ? -1 : 1)).join(' '),
      )
  )
}
