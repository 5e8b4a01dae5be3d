import { roomWebFiles } from './room-web-files.mjs'

/**
 * Returns the text of each file with the code of a new feature, by path: a contract, a table, routes, a service, queries, a
 * screen with its queries, and a test through HTTP. A row of the table has an owner and a title; row-level security hides the
 * rows of other users.
 */
export const roomFiles = (names) => ({ ...serverFiles(names), ...roomWebFiles(names), ...testFiles(names) })

/**
 * Returns the SQL of the row-level security rules of the new table. It is a separate migration, because drizzle-kit does not
 * generate these rules. A row belongs to no project. So an API key for selected projects cannot read or write rows, and a key
 * without the right to edit cannot change them.
 */
export const roomRules = ({ table }) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO lectern_app;
--> statement-breakpoint
CREATE POLICY own_rows ON ${table} TO lectern_app
  USING (owner_id = (SELECT app_user_id()) AND (SELECT app_key_unassigned('read')))
  WITH CHECK (owner_id = (SELECT app_user_id()) AND (SELECT app_key_unassigned('edit')));
--> statement-breakpoint
CREATE POLICY key_removes ON ${table} AS RESTRICTIVE FOR DELETE TO lectern_app USING ((SELECT app_key_unassigned('edit')));
`

const serverFiles = ({ room, table, plural, single, Plural, Single, Label, words, word }) => ({
  [`shared/contract/${room}.ts`]: `import { z } from 'zod'

/** A ${word} of a user. */
export const ${single} = z.object({ id: z.uuid(), title: z.string(), created_at: z.string() })
export type ${Single} = z.infer<typeof ${single}>

/** POST /api/${room}. */
export const ${single}Input = z.object({ title: z.string().trim().min(1, 'Enter a title.').max(200) })
export type ${Single}Input = z.infer<typeof ${single}Input>
`,
  [`server/db/tables/${room}.ts`]: `import { sql } from 'drizzle-orm'
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'

/** The ${words} of all users. */
export const ${plural} = pgTable(
  '${table}',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    owner_id: text('owner_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql\`now()\`),
  },
  (table) => [index('${table}_of_owner').on(table.owner_id, table.created_at.desc().nullsFirst())],
)
`,
  [`server/${room}/queries.ts`]: `import { desc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { ${plural} } from '#server/db/tables/${room}.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import type { ${Single} } from '#shared/contract/${room}.ts'

const columns = { id: ${plural}.id, title: ${plural}.title, created_at: ${plural}.created_at }

/** Returns a page of the visible ${words}, newest first, with the exact count of all pages. */
export async function list${Single}Rows(tx: Tx, { limit, offset }: Slice): Promise<Listed<${Single}>> {
  const rows = tx.select(columns).from(${plural}).orderBy(desc(${plural}.created_at), ${plural}.id).offset(offset)
  return { data: await (limit === undefined ? rows : rows.limit(limit)), count: await tx.$count(${plural}) }
}

export async function insert${Single}Row(tx: Tx, row: typeof ${plural}.$inferInsert): Promise<${Single}> {
  const [created] = await tx.insert(${plural}).values(row).returning(columns)
  return created!
}

/** Deletes a ${word}. Returns false if there is no visible ${word} with this id. */
export async function delete${Single}Row(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.delete(${plural}).where(eq(${plural}.id, id)).returning({ id: ${plural}.id })
  return rows.length > 0
}
`,
  [`server/${room}/service.ts`]: `import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import { notFound } from '#server/lib/errors.ts'
import type { ${Single}, ${Single}Input } from '#shared/contract/${room}.ts'
import { delete${Single}Row, insert${Single}Row, list${Single}Rows } from './queries.ts'

/** Returns a page of the caller's ${words}, newest first. */
export const list${Plural} = (actor: Actor, slice: Slice): Promise<Listed<${Single}>> =>
  asActor(actor, (tx) => list${Single}Rows(tx, slice))

/** Creates a ${word} of the caller. */
export const create${Single} = (actor: Actor, input: ${Single}Input): Promise<${Single}> =>
  asActor(actor, (tx) => insert${Single}Row(tx, { ...input, owner_id: actor.userId }))

/** Deletes a ${word}. Throws '${Label} not found' if it does not exist or belongs to another user. */
export const delete${Single} = (actor: Actor, id: string): Promise<void> =>
  asActor(actor, async (tx) => {
    if (!(await delete${Single}Row(tx, id))) throw notFound('${Label}')
  })
`,
  [`server/${room}/routes.ts`]: `import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { ${single}, ${single}Input } from '#shared/contract/${room}.ts'
import { create${Single}, delete${Single}, list${Plural} } from './service.ts'

export const routes = createRouter()
const tags = ['${Plural}']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/${room}',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: z.object(pageQuery) },
    responses: { 200: many(${single}, 'The ${words}, newest first'), ...refusals },
  }),
  async (c) => c.json(await list${Plural}(actorOf(c), sliceOf(c.req.valid('query'))), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/${room}',
    access: { role: 'user', body: 'json', limit: 'none', scope: 'write' },
    tags,
    request: jsonBody(${single}Input),
    responses: { 201: one(${single}, 'The new ${word}'), ...refusals },
  }),
  async (c) => c.json({ data: await create${Single}(actorOf(c), c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/${room}/{id}',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: idOf('${Label}'),
    responses: { 200: one(z.object({ id: z.string() }), 'The id of the deleted ${word}'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await delete${Single}(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)
`,
})

const testFiles = ({ room, plural, single, Plural, Single, words, word }) => ({
  [`tests/api/${room}.test.ts`]: `import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ${Single} } from '#shared/contract/${room}.ts'
import { api } from '#shared/contract/paths.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let ada: Client
let bob: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  bob = await signUp(server.url)
})
afterAll(() => server.stop())

const create = async (title: string) =>
  (await ada.json<{ data: ${Single} }>(api.${plural}(), { body: { title } })).data
const list${Plural} = (client: Client) => client.json<{ data: ${Single}[]; count: number }>(api.${plural}())

describe('${words}', () => {
  it('A user creates, lists and deletes a ${word}', async () => {
    const first = await create('First')
    const second = await create(' Second ')
    expect(await list${Plural}(ada)).toEqual({ data: [second, first], count: 2 })
    expect(second.title).toBe('Second')
    await ada.json(api.${single}(first.id), { method: 'DELETE' })
    expect(await list${Plural}(ada)).toEqual({ data: [second], count: 1 })
  })

  it('A ${word} is not visible to another user', async () => {
    const { id } = await create('Own')
    expect(await list${Plural}(bob)).toEqual({ data: [], count: 0 })
    expect((await bob.fetch(api.${single}(id), { method: 'DELETE' })).status).toBe(404)
  })

  it('A ${word} without a title is refused', async () => {
    const refused = await ada.fetch(api.${plural}(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: ' ' }),
    })
    expect([refused.status, await refused.json()]).toMatchObject([422, { error: { fields: { title: 'Enter a title.' } } }])
  })
})
`,
})
