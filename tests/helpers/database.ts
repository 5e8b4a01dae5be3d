import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { queryAt } from './connections.ts'
import type { TestServer } from './server.ts'

type DatabaseOfServer = Pick<TestServer, 'dataDir' | 'databaseUrl'>

/**
 * Runs one statement in the database of a running server as the owner of the database, for whom row-level security does not
 * apply. Returns the rows.
 */
export async function inDatabase(server: DatabaseOfServer, text: string, values: unknown[] = []) {
  if (server.databaseUrl) return queryAt(server.databaseUrl, text, values)
  const client = new Client(await embedded(server))
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Returns the connection settings of an embedded database. A file in its data folder contains the path of its socket. */
async function embedded({ dataDir }: DatabaseOfServer) {
  const { socketFolder } = JSON.parse(await readFile(join(dataDir, 'database', 'process.json'), 'utf8')) as {
    socketFolder: string
  }
  return { host: socketFolder, port: 5432, user: 'postgres', database: 'postgres' }
}
