import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestServer } from './server.ts'

/** One statement as the operator could give it in the database of a running server, past everything that the server checks. */
export async function inDatabase(server: TestServer, text: string, values: unknown[] = []) {
  const client = new Client(server.databaseUrl ? { connectionString: server.databaseUrl } : await embedded(server))
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** The embedded database listens on a socket that its folder names. */
async function embedded({ dataDir }: TestServer) {
  const { socketFolder } = JSON.parse(await readFile(join(dataDir, 'database', 'process.json'), 'utf8')) as {
    socketFolder: string
  }
  return { host: socketFolder, port: 5432, user: 'postgres', database: 'postgres' }
}
