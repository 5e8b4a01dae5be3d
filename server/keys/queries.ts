import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'
import { commitWithoutWaiting, type Tx } from '#server/db/client.ts'
import { apiKeyCalls, apiKeyProjects, apiKeys } from '#server/db/tables/keys.ts'
import { user } from '#server/db/tables/auth.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { projects } from '#server/db/tables/projects.ts'
import { aiCalls } from '#server/db/tables/usage.ts'
import {
  type ApiKey,
  CALL_DAYS,
  type KeyCall,
  type KeyScope,
  LISTED_CALLS,
  REMIND_DAYS,
} from '#shared/contract/api-keys.ts'

const { id, name, prefix, scopes, created_at, expires_at, last_used_at, last_network } = apiKeys
const shown = {
  id,
  name,
  prefix,
  scopes,
  created_at,
  expires_at,
  last_used_at,
  last_network,
  projects: sql<ApiKey['projects']>`case when ${apiKeys.all_projects} then null else coalesce((
    select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name) order by p.name)
    from ${apiKeyProjects} link join ${projects} p on p.id = link.project_id where link.key_id = api_keys.id), '[]'::jsonb) end`,
  spent: sql<ApiKey['spent']>`(select jsonb_build_object('calls', count(*),
    'tokens', coalesce(sum(tokens_in + tokens_out), 0)) from ${aiCalls}
    where key_id = api_keys.id and ${aiCalls.created_at} >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC')`,
}

/** Returns the caller's keys that are not revoked, newest first. */
export const listKeyRows = (tx: Tx): Promise<ApiKey[]> =>
  tx.select(shown).from(apiKeys).where(isNull(apiKeys.revoked_at)).orderBy(desc(created_at), id)

/** Serializes transactions that insert keys of a user (advisory lock, released at the end of the transaction). */
export async function lockKeys(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`lectern:keys:${userId}`}))`)
}

/** Returns the number of the caller's keys that are not revoked. */
export const countKeys = (tx: Tx): Promise<number> => tx.$count(apiKeys, isNull(apiKeys.revoked_at))

/** Returns those of `ids` that are ids of projects which the caller may read. */
export async function findReadable(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.select({ id: projects.id }).from(projects).where(inArray(projects.id, ids))
  return rows.map((row) => row.id)
}

/** Inserts an API key and the projects to which it is restricted, and returns it. */
export async function insertKey(
  tx: Tx,
  row: typeof apiKeys.$inferInsert,
  projectIds: readonly string[],
): Promise<ApiKey> {
  const [inserted] = await tx.insert(apiKeys).values(row).returning({ id })
  const key_id = inserted!.id
  if (projectIds.length > 0)
    await tx.insert(apiKeyProjects).values(projectIds.map((project_id) => ({ key_id, project_id })))
  const [found] = await tx.select(shown).from(apiKeys).where(eq(id, key_id))
  return found!
}

/** Revokes a key of the caller and deletes its hash. Returns undefined if the caller has no such key. */
export async function revokeKeyRow(tx: Tx, keyId: string) {
  const [row] = await tx
    .update(apiKeys)
    .set({ revoked_at: sql`now()`, hash: '' })
    .where(and(eq(id, keyId), isNull(apiKeys.revoked_at)))
    .returning({ id, prefix, scopes })
  return row
}

/**
 * Returns the API key whose prefix is `wanted`, with its projects (null means all projects) and the time at which the account
 * of its user was disabled (null if it is not disabled). Returns undefined if no key has the prefix or the key is revoked. Must
 * run as the database role that owns the tables.
 */
export async function findKey(tx: Pick<Tx, 'select'>, wanted: string) {
  const [row] = await tx
    .select({
      id,
      userId: apiKeys.user_id,
      hash: apiKeys.hash,
      scopes,
      expiresAt: expires_at,
      disabledAt: profiles.disabled_at,
      projects: sql<string[] | null>`case when ${apiKeys.all_projects} then null else array(
        select project_id::text from ${apiKeyProjects} link where link.key_id = api_keys.id) end`,
    })
    .from(apiKeys)
    .innerJoin(profiles, eq(profiles.id, apiKeys.user_id))
    .where(and(eq(prefix, wanted), isNull(apiKeys.revoked_at)))
  return row
}

/** Returns the scopes of a key, revoked or not; [] for an unknown key. Must run as the database role that owns the tables. */
export async function findScopes(tx: Pick<Tx, 'select'>, keyId: string): Promise<KeyScope[]> {
  const [row] = await tx.select({ scopes }).from(apiKeys).where(eq(id, keyId))
  return row?.scopes ?? []
}

/** A call with an API key, to insert into the record of calls. */
export type CallRow = Omit<typeof apiKeyCalls.$inferInsert, 'id'>

/**
 * Inserts recorded calls and updates the times at which their keys were last used. Drops calls of deleted keys. Must run as
 * the database role that owns the tables.
 */
export async function insertCalls(tx: Tx, rows: readonly CallRow[]): Promise<void> {
  await commitWithoutWaiting(tx)
  await tx.execute(sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one (
        key_id uuid, user_id text, called_at timestamptz, route text, status integer, milliseconds integer, network text)
    ), used as (
      update api_keys k set last_used_at = latest.called_at, last_network = latest.network
      from (select distinct on (key_id) key_id, called_at, network from given order by key_id, called_at desc) latest
      where k.id = latest.key_id and (k.last_used_at is null or k.last_used_at < latest.called_at)
    )
    insert into api_key_calls (key_id, user_id, called_at, route, status, milliseconds, network)
    select given.* from given where exists (select from api_keys k where k.id = given.key_id)`)
}

/** Returns a page of the latest calls with the caller's keys, newest first, and their number, which is at most LISTED_CALLS. */
export async function listCallRows(
  tx: Tx,
  filter: { keyId: string | undefined },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ data: KeyCall[]; count: number }> {
  const latest = tx
    .select({
      id: apiKeyCalls.id,
      key_id: apiKeyCalls.key_id,
      key_name: sql<string>`${name}`.as('key_name'),
      called_at: apiKeyCalls.called_at,
      route: apiKeyCalls.route,
      status: apiKeyCalls.status,
      milliseconds: apiKeyCalls.milliseconds,
      network: apiKeyCalls.network,
    })
    .from(apiKeyCalls)
    .innerJoin(apiKeys, eq(id, apiKeyCalls.key_id))
    .where(filter.keyId === undefined ? undefined : eq(apiKeyCalls.key_id, filter.keyId))
    .orderBy(desc(apiKeyCalls.called_at), apiKeyCalls.id)
    .limit(LISTED_CALLS)
    .as('latest')
  const data = await tx.select().from(latest).orderBy(desc(latest.called_at), latest.id).limit(limit).offset(offset)
  return { data, count: await tx.$count(latest) }
}

/**
 * Deletes calls that are older than CALL_DAYS days, and keys that were revoked before that time. Must run as the database
 * role that owns the tables.
 */
export async function deleteOldCalls(tx: Tx): Promise<void> {
  const old = sql`now() - make_interval(days => ${CALL_DAYS})`
  await tx.delete(apiKeyCalls).where(lt(apiKeyCalls.called_at, old))
  await tx.delete(apiKeys).where(lt(apiKeys.revoked_at, old))
}

/**
 * Returns the keys that expire within REMIND_DAYS days, each with its user, and marks them as reminded. A key is returned
 * only once, and only to one process. Omits keys of disabled accounts. Must run as the database role that owns the tables.
 */
export async function takeEndingKeys(tx: Tx) {
  const rows = await tx
    .update(apiKeys)
    .set({ reminded_at: sql`now()` })
    .where(
      and(
        isNull(apiKeys.revoked_at),
        isNull(apiKeys.reminded_at),
        gt(expires_at, sql`now()`),
        lt(expires_at, sql`now() + make_interval(days => ${REMIND_DAYS})`),
      ),
    )
    .returning({ id })
  if (rows.length === 0) return []
  return tx
    .select({ name, prefix, expires_at, email: user.email, person: user.name })
    .from(apiKeys)
    .innerJoin(user, eq(user.id, apiKeys.user_id))
    .innerJoin(profiles, eq(profiles.id, apiKeys.user_id))
    .where(
      and(
        inArray(
          id,
          rows.map((row) => row.id),
        ),
        isNull(profiles.disabled_at),
      ),
    )
}
