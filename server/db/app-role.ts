import type { ClientBase } from 'pg'
import { StartError } from '#server/lib/start-error.ts'
import { INSUFFICIENT_PRIVILEGE, isRefusal } from './refusals.ts'

/** The role name in the migration files. `applyMigrations` replaces it by the name of the role of the database. */
export const ROLE_IN_MIGRATIONS = 'lectern_app'

/**
 * PostgreSQL 16, as in `server_version_num`. From this version on, a member of a role can SET ROLE to it only if the grant of
 * the membership has the option SET.
 */
const VERSION_WITH_SET = 160_000

/** The database role that requests use. Row-level security applies to it. */
interface Role {
  name: string
  exists: boolean
  /** Whether the role of the connection may SET ROLE to this role. */
  isUsable: boolean
}

/**
 * Finds the restricted role, to which row-level security applies, and returns its name. Creates the role, and grants it to the
 * role of the connection, if necessary: the connection can then switch to it with SET ROLE. Roles belong to the whole cluster,
 * so each database has its own restricted role: the role that the policies of the database name, or in an empty database
 * `lectern_app_<oid of the database>`. If the connection has no right to create or grant the role, throws a StartError with the
 * SQL statements that a superuser must run.
 */
export async function ensureAppRole(client: ClientBase): Promise<string> {
  const { name, exists, isUsable } = await findAppRole(client)
  if (!/^[a-z_][a-z0-9_]*$/.test(name))
    throw new StartError(
      `The policies of the database name the role ${JSON.stringify(name)}: rename it to lower-case letters, digits and _.`,
    )
  const { version, user, database } = await describeConnection(client)
  const grant = version >= VERSION_WITH_SET ? `GRANT ${name} TO ${user} WITH SET TRUE` : `GRANT ${name} TO ${user}`
  const missing = [...(exists ? [] : [`CREATE ROLE ${name} NOLOGIN`]), ...(isUsable ? [] : [grant])]
  try {
    for (const statement of missing) await client.query(statement)
  } catch (error) {
    if (!isRefusal(error, INSUFFICIENT_PRIVILEGE)) throw error
    throw new StartError(
      `The database role ${user} has no right to make or use ${name}, the role for the requests to the database ${database}. Run as a superuser, then start again: ${missing.join('; ')};`,
      { cause: error },
    )
  }
  return name
}

/**
 * Returns the restricted role of this database, to which row-level security applies, and whether the role exists and the
 * connection may switch to it.
 */
export async function findAppRole(client: ClientBase): Promise<Role> {
  const { rows } = await client.query<{ name: string }>(
    `select coalesce(
       (select role from pg_policies, unnest(roles) as role where schemaname = 'public' and role <> 'public'
         group by role order by count(*) desc limit 1)::text,
       (select $1 || '_' || oid from pg_database where datname = current_database())) as name`,
    [ROLE_IN_MIGRATIONS],
  )
  const { name } = rows[0]!
  const { rows: found } = await client.query<{ usable: boolean }>(
    `select pg_has_role(current_user, oid,
       case when current_setting('server_version_num')::int >= $2 then 'SET' else 'MEMBER' end) as usable
       from pg_roles where rolname = $1`,
    [name, VERSION_WITH_SET],
  )
  return { name, exists: found.length > 0, isUsable: found[0]?.usable ?? false }
}

async function describeConnection(client: ClientBase): Promise<{ version: number; user: string; database: string }> {
  const { rows } = await client.query<{ version: number; user: string; database: string }>(
    `select current_setting('server_version_num')::int as version, quote_ident(current_user) as user,
            quote_ident(current_database()) as database`,
  )
  return rows[0]!
}
