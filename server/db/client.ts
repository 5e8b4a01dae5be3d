import { AsyncLocalStorage } from 'node:async_hooks'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { databaseFolder, env } from '#server/lib/env.ts'
import { ADMINS_ONLY, AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from './actor.ts'
import { begin, NoConnection, sqlState, type Tx } from './begin.ts'
import { startEmbeddedDatabase } from './embedded/index.ts'
import * as tables from './tables/index.ts'
import { traceQueries } from './trace-queries.ts'

export { sqlState, type Tx } from './begin.ts'

interface Database {
  pool: pg.Pool
  db: NodePgDatabase<typeof tables>
  embedded: boolean
  /** Configuration of `pg` connections outside the pool: for the queue and for LISTEN. */
  connection: pg.ClientConfig
  /** The role to which row-level security applies; null until `migrateDatabase` has found or created it. */
  appRole: string | null
  close(): Promise<void>
}

const EMBEDDED_POOL = 8

let opened: Database | undefined

/** Tracks whether the current code runs inside an open transaction. */
const surrounding = new AsyncLocalStorage<{ open: boolean }>()

/**
 * Opens the database of the settings: DATABASE_URL, or the embedded database under DATA_DIR. A later call returns the open
 * database. Do not call it concurrently.
 */
export async function openDatabase(): Promise<Database> {
  if (opened) return opened
  const embedded = env.DATABASE_URL
    ? null
    : await startEmbeddedDatabase({
        dataDir: databaseFolder(),
        maintenanceMs: env.EMBEDDED_MAINTENANCE_SECONDS * 1000,
      })
  const connection: pg.ClientConfig = {
    ...(embedded ? embedded.connection : { connectionString: env.DATABASE_URL! }),
    application_name: 'lectern',
  }
  const pool = new pg.Pool({
    ...connection,
    max: embedded ? EMBEDDED_POOL : env.DATABASE_POOL,
    connectionTimeoutMillis: 20_000,
    idleTimeoutMillis: 30_000,
    // The embedded database has no statement timeout. PgBouncer refuses timeouts among the startup parameters, so they are set
    // by a statement.
    ...(embedded ? {} : limited),
  })
  // Without a listener, a connection that the database ends during a transaction would end the process.
  pool.on('connect', (client) => {
    traceQueries(client)
    client.on('error', (error) => log.warn({ err: error }, 'a database connection failed'))
  })
  pool.on('error', (error) => log.error({ err: error }, 'an idle database connection failed'))
  opened = {
    pool,
    db: drizzle(pool, { schema: tables }),
    embedded: embedded !== null,
    connection,
    appRole: null,
    close: async () => {
      opened = undefined
      await pool.end()
      await embedded?.stop()
    },
  }
  return opened
}

/** Options of the pool. It waits for the promise of `onConnect` before it returns a new connection. */
const limited = { onConnect: setTimeouts }

/**
 * Sets the time limits on a connection (60 s for a statement, 30 s for an idle transaction) and turns off JIT compilation. With
 * row-level security, JIT takes 30 to 200 ms for each statement with a high cost estimate, more than it saves. The embedded
 * database ignores these settings.
 */
export async function setTimeouts(client: pg.ClientBase): Promise<void> {
  await client.query('set statement_timeout = 60000; set idle_in_transaction_session_timeout = 30000; set jit = off')
}

/** Returns the open database. Throws when it is not open. */
export function database(): Database {
  if (!opened) throw new Error('The database is not open.')
  return opened
}

/**
 * Runs `work` in one transaction on behalf of `actor`. Row-level security limits reads and writes to rows that the user, and an
 * API key if there is one, may access. `work` must not call models or use files or the network. `projectId` is the project
 * whose rows a long list reads: it speeds up the check of these rows and gives no right.
 */
export async function asActor<T>(actor: Actor, work: (tx: Tx) => Promise<T>, projectId?: string): Promise<T> {
  return transaction(work, appRoleStatement(actor.userId, { projectId, key: actor.key }))
}

/**
 * Switches the rest of the transaction to the restricted role, to which row-level security applies, on behalf of a user. If
 * `userId` is '' (no user), no rows are visible.
 */
export async function takeAppRole(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql.raw(appRoleStatement(userId)))
}

/**
 * Returns the statement of `takeAppRole`. It has no parameters, so that it can be sent together with BEGIN. `key` restricts the
 * user's rights to those of an API key.
 */
function appRoleStatement(
  userId: string,
  { projectId = '', key }: { projectId?: string | undefined; key?: Actor['key'] | undefined } = {},
): string {
  const { appRole } = database()
  if (appRole === null) throw new Error('The database is not migrated.')
  const settings = {
    role: appRole,
    'app.user_id': userId,
    'app.project_id': projectId,
    'app.key_rights': key?.rights.join(',') ?? '',
    'app.key_projects': key?.projects ? `{${key.projects.join(',')}}` : '',
  }
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, true)`,
  )
  return `select ${calls.join(', ')}`
}

/** Runs `work` on behalf of `actor` (see `asActor`), with soft-deleted rows visible: for deletion, restoring and export. */
export function asActorWithDeleted<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return asActor(actor, async (tx) => {
    await tx.execute(sql`select set_config('app.sees_deleted', 'on', true)`)
    return work(tx)
  })
}

/** Runs `work` on behalf of an admin (see `asActor`). Throws 'forbidden' for other users. The database repeats this check. */
export function asAdmin<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!actor.isAdmin) throw new AppError('forbidden', ADMINS_ONLY)
  return asActor(actor, work)
}

/** Runs `work` for an admin (see `asAdmin`) with users' personal journals visible, but not their feeds and articles. */
export function asAdminWithPersonal<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return asAdmin(actor, async (tx) => {
    await tx.execute(sql`select set_config('app.sees_personal', 'on', true)`)
    return work(tx)
  })
}

/**
 * Runs `work` in one transaction as the database role that owns the tables, without row-level security: for accounts, the
 * queue and tasks of the server itself.
 */
export function asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(work)
}

/**
 * Runs one statement as the database role that owns the tables, without row-level security and without BEGIN and COMMIT: the
 * statement is its own transaction. Saves two round trips for the counters and checks that run in most requests.
 */
export async function asSystemAtOnce<T>(statement: (db: Pick<Tx, 'execute' | 'select'>) => Promise<T>): Promise<T> {
  refuseNested()
  return statement(database().db)
}

const WITHOUT_WAITING = 'set local synchronous_commit = off'

/**
 * Lets the transaction commit before its data is on the disk. A crash of the database may lose the whole transaction, so use it
 * only for rows whose loss does no harm. On the embedded database, a commit that waits for the disk delays all requests.
 */
export async function commitWithoutWaiting(tx: Tx): Promise<void> {
  await tx.execute(sql.raw(WITHOUT_WAITING))
}

/** Runs `work` as the role that owns the tables. The commit does not wait for the disk (see `commitWithoutWaiting`). */
export const asSystemWithoutWaiting = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(work, WITHOUT_WAITING)

/**
 * Runs `work` in one transaction. Throws at once if it is called inside another transaction, because a nested transaction can
 * deadlock: always on the embedded database, which has one connection, and under load on a server. `first` is a statement
 * without parameters, which is sent together with BEGIN.
 */
async function transaction<T>(work: (tx: Tx) => Promise<T>, first?: string): Promise<T> {
  refuseNested()
  const { tx, commit, rollback } = await begin(database().pool, first)
  const state = { open: true }
  try {
    const result = await surrounding.run(state, () => work(tx))
    await commit()
    return result
  } catch (error) {
    await rollback(error)
    throw error
  } finally {
    state.open = false
  }
}

function refuseNested(): void {
  if (surrounding.getStore()?.open)
    throw new Error('A transaction was started inside another one. Pass the `tx` of the outer one.')
}

/**
 * Returns whether `error` is the error of one SQL statement: the statement failed, or it was sent outside a transaction and no
 * connection was available. Returns false for NoConnection, the error of a transaction that could not begin.
 */
export const isDatabaseError = (error: unknown): boolean => error instanceof DrizzleQueryError

/** SQLSTATEs and Node error codes of a database that is out of reach or read-only, has no free connection, starts or stops. */
const UNAVAILABLE =
  /^(08...|53300|57P0[1-3]|25006|ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Messages of the errors of `pg` that have no code. */
const NO_CONNECTION = /timeout exceeded when trying to connect|Connection terminated/

/** Returns whether a transaction or statement failed because the database is unavailable for now. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof NoConnection) return true
  if (!isDatabaseError(error)) return false
  const { cause } = error as Error
  return UNAVAILABLE.test(sqlState(error) ?? '') || (cause instanceof Error && NO_CONNECTION.test(cause.message))
}

/** Returns the name of the constraint that a failed statement violated; undefined for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause as { constraint?: string } | null)?.constraint
}

/**
 * Returns whether row-level security refused a new or changed row. Checks the PostgreSQL function that reported the error,
 * because a missing privilege on the table has the same SQLSTATE, 42501.
 */
export function violatesRowSecurity(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause as { routine?: string } | null)?.routine === 'ExecWithCheckOptions' && sqlState(error) === '42501'
}
