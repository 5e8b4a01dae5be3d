import type { ClientBase } from 'pg'
import { StartError } from '#server/lib/start-error.ts'
import { EXTENSION_UNAVAILABLE, INSUFFICIENT_PRIVILEGE, isRefusal } from './refusals.ts'

const OLDEST_SERVER = 15
const OLDEST_PGVECTOR = [0, 8] as const

/** The extensions that the schema needs, and where each extension comes from. */
const EXTENSIONS = { vector: 'pgvector 0.8 or newer', pg_trgm: 'one of the contrib modules of PostgreSQL' }

/**
 * Ensures the minimum server version and the extensions, and creates missing extensions if permitted. Throws a
 * StartError whose one-line message names the operator's next step.
 */
export async function ensureRequirements(client: ClientBase): Promise<void> {
  const { version, number, database, mayCreate } = await describeServer(client)
  if (number < OLDEST_SERVER * 10_000)
    throw new StartError(`PostgreSQL ${version} is too old: Lectern needs ${OLDEST_SERVER} or newer.`)
  if (!mayCreate) throw await ownershipError(client)
  for (const [name, source] of Object.entries(EXTENSIONS)) {
    try {
      await client.query(`create extension if not exists ${name}`)
    } catch (error) {
      throw asStartError(error, name, source, database)
    }
  }
  const { rows } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'vector'`,
  )
  if (isOlder(rows[0]!.version))
    throw new StartError(
      `pgvector ${rows[0]!.version} is too old: Lectern needs ${OLDEST_PGVECTOR.join('.')} or newer. Install it on the database server, then run as a superuser in the database ${database}: ALTER EXTENSION vector UPDATE;`,
    )
}

async function describeServer(client: ClientBase) {
  const { rows } = await client.query<{ version: string; number: number; database: string; mayCreate: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
            quote_ident(current_database()) as database,
            has_database_privilege(current_database(), 'CREATE') as "mayCreate"`,
  )
  return rows[0]!
}

/**
 * Returns the StartError for a connection whose role does not own the database. `cause` is the error of a refused statement, if
 * there was one.
 */
export async function ownershipError(client: ClientBase, cause?: Error): Promise<StartError> {
  const { rows } = await client.query<{ user: string; database: string }>(
    'select quote_ident(current_user) as user, quote_ident(current_database()) as database',
  )
  const { user, database } = rows[0]!
  const reason = cause ? ` (${cause.message})` : ''
  return new StartError(
    `The database role ${user} must own the database ${database} and all objects in it${reason}. Run as a superuser, then start again: ALTER DATABASE ${database} OWNER TO ${user};`,
    { cause },
  )
}

/**
 * Returns a StartError if `error` says that CREATE EXTENSION was refused or that the server lacks the extension's files.
 * Returns any other error unchanged. `name` is the extension, and `source` the software that contains it.
 */
export function asStartError(error: unknown, name: string, source: string, database: string): unknown {
  const create = `run as a superuser in the database ${database}: CREATE EXTENSION ${name};`
  if (isRefusal(error, INSUFFICIENT_PRIVILEGE))
    return new StartError(`The database has no extension ${name}, and its role has no right to create it: ${create}`, {
      cause: error,
    })
  if (isRefusal(error, ...EXTENSION_UNAVAILABLE))
    return new StartError(
      `The database server has no extension ${name} (${source}): install it there, then ${create}`,
      { cause: error },
    )
  return error
}

/** Returns whether a version of pgvector, as in `0.7.4`, is older than the minimum. */
function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_PGVECTOR[0] || (major === OLDEST_PGVECTOR[0] && minor < OLDEST_PGVECTOR[1])
}
