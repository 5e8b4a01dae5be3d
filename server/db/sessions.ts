import pg from 'pg'
import { StartError } from '#server/lib/start-error.ts'
import { database } from './client.ts'

/** A database connection. Tests use an object in its place. */
interface Session {
  query(text: string): Promise<{ rows: { pid: number }[] }>
}

/**
 * Number of checks. A pooler assigns the session that was used last, or longest ago. Traffic of other clients can hide this in
 * a single check.
 */
const ROUNDS = 3

/**
 * Throws a StartError if DATABASE_URL leads to a pooler that can assign another session to each transaction. Locks of a session
 * would then not prevent concurrent migrations, and notifications would be lost. `client` must not be in a transaction. Does
 * nothing for the embedded database.
 */
export async function ensureOwnSessions(client: pg.ClientBase): Promise<void> {
  const { connection, embedded } = database()
  if (embedded) return
  const other = new pg.Client({ ...connection, connectionTimeoutMillis: 20_000 })
  // Without a listener, a connection that the database ends would end the process. The query reports it.
  other.on('error', () => undefined)
  try {
    await other.connect()
    await refuseSharedSessions(client, other)
  } finally {
    await other.end()
  }
}

/**
 * Throws a StartError if two open connections share sessions: both have the same session, or the session of a connection
 * changes.
 */
export async function refuseSharedSessions(one: Session, other: Session): Promise<void> {
  const before = { one: await sessionOf(one), other: await sessionOf(other) }
  for (let round = 1; round <= ROUNDS; round++) {
    const now = { one: await sessionOf(one), other: await sessionOf(other) }
    if (now.one === now.other || now.one !== before.one || now.other !== before.other)
      throw new StartError(
        'DATABASE_URL leads to a pooler in transaction or statement mode, which Lectern cannot use. Set pool_mode = session in PgBouncer, or use the address of PostgreSQL.',
      )
  }
}

async function sessionOf(session: Session): Promise<number> {
  const { rows } = await session.query('select pg_backend_pid() as pid')
  return rows[0]!.pid
}
