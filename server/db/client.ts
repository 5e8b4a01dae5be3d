import { AsyncLocalStorage } from 'node:async_hooks'
import { DrizzleQueryError, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { env } from '#server/lib/env.ts'
import { ADMINS_ONLY, AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/lib/session.ts'
import { startEmbeddedDatabase } from './embedded/index.ts'
import * as tables from './tables/index.ts'

/** A drizzle transaction: the only way rooms reach the database. */
export type Tx = Parameters<Parameters<NodePgDatabase<typeof tables>['transaction']>[0]>[0]

interface Database {
  pool: pg.Pool
  db: NodePgDatabase<typeof tables>
  embedded: boolean
  /** How to reach it with another `pg` connection (the queue, LISTEN). */
  connection: pg.ClientConfig
  /** The role that row-level security binds; null until `migrateDatabase` has found or made it. */
  appRole: string | null
  close(): Promise<void>
}

let opened: Database | undefined

/** Whether the code that runs now stands inside a transaction that is still open. */
const surrounding = new AsyncLocalStorage<{ open: boolean }>()

/** Opens the database that the settings name: DATABASE_URL, or the embedded one under DATA_DIR. Once per process. */
export async function openDatabase(): Promise<Database> {
  if (opened) return opened
  const embedded = env.DATABASE_URL
    ? null
    : await startEmbeddedDatabase({
        dataDir: `${env.DATA_DIR}/database`,
        maintenanceMs: env.EMBEDDED_MAINTENANCE_SECONDS * 1000,
      })
  const connection: pg.ClientConfig = embedded ? embedded.connection : { connectionString: env.DATABASE_URL! }
  const pool = new pg.Pool({
    ...connection,
    max: embedded ? 8 : 20,
    connectionTimeoutMillis: 20_000,
    idleTimeoutMillis: 30_000,
    // The embedded database has no statement time limit; a server cuts off what hangs.
    ...(embedded ? {} : { options: '-c statement_timeout=60000 -c idle_in_transaction_session_timeout=30000' }),
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

/** The open database; throws when the server has not opened it yet. */
export function database(): Database {
  if (!opened) throw new Error('The database is not open.')
  return opened
}

/**
 * Runs `work` in one transaction as the restricted role on behalf of `actor`: row-level security then shows and takes
 * that person's rows alone. No model call, file or network access belongs inside.
 */
export function asActor<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(async (tx) => {
    await takeAppRole(tx, actor.userId)
    return work(tx)
  })
}

/** Lets the rest of the transaction run as the restricted role on behalf of a person, or of nobody ('', who sees no row). */
export async function takeAppRole(tx: Tx, userId: string): Promise<void> {
  const { appRole } = database()
  if (appRole === null) throw new Error('The database is not migrated.')
  await tx.execute(sql`select set_config('role', ${appRole}, true), set_config('app.user_id', ${userId}, true)`)
}

/** `asActor` that sees what the person has deleted as well: to delete it, to bring it back, to take it along. */
export function asActorWithDeleted<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return asActor(actor, async (tx) => {
    await tx.execute(sql`select set_config('app.sees_deleted', 'on', true)`)
    return work(tx)
  })
}

/**
 * `asActor` for what admins alone may do: refuses everybody else here, and row-level security asks the database once more
 * whether the caller is an admin at this moment.
 */
export function asAdmin<T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (!actor.isAdmin) throw new AppError('forbidden', ADMINS_ONLY)
  return asActor(actor, work)
}

/** Runs `work` in one transaction as the owner of the tables: for accounts, the queue and what the server does on its own account. */
export function asOwner<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(work)
}

/**
 * One transaction. A second one inside it would wait for its own surroundings: for ever on the embedded database, which
 * has a single connection, and under load on a server, so it is refused at once, wherever it is tried first.
 */
async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  if (surrounding.getStore()?.open) {
    throw new Error('A transaction was begun inside another one: hand the `tx` of the outer one on.')
  }
  const state = { open: true }
  try {
    return await surrounding.run(state, () => database().db.transaction(work))
  } finally {
    state.open = false
  }
}

/** Whether a statement failed, or no connection to the database could be had for it. */
export const isDatabaseError = (error: unknown): boolean => error instanceof DrizzleQueryError

/** The SQLSTATE of a failed statement, or undefined. Drizzle hands the driver's error over as `cause`. */
export function sqlState(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause as { code?: string } | null)?.code
}

/** The name of the constraint that a failed statement broke, or undefined. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause as { constraint?: string } | null)?.constraint
}
