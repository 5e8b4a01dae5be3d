import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer, type TestServer } from './server.ts'
import { startSharedServer } from './shared-server.ts'
import { createOwner, type Owner, RUN_OWNER, RUN_TEMPLATE } from './test-database.ts'

let server: TestServer | undefined
let owner: Owner | undefined
let stopShared: (() => Promise<void>) | undefined

/**
 * Prepares a test run. Creates a template database: on the server of TEST_DATABASE_URL, or embedded. Each server under test
 * starts with a copy of it, which takes half the time of a new database. On TEST_DATABASE_URL, all databases of the run belong
 * to a role without superuser rights. Then starts the server that test files share.
 */
export async function setup(): Promise<void> {
  if (process.env['TEST_DATABASE_URL']) {
    owner = await createOwner()
    process.env[RUN_OWNER] = `${owner.name}:${owner.password}`
  }
  server = await startServer()
  await server.kill('SIGTERM')
  if (server.databaseUrl !== undefined) {
    process.env[RUN_TEMPLATE] = new URL(server.databaseUrl).pathname.slice(1)
  } else {
    await rm(join(server.dataDir, 'files'), { recursive: true, force: true })
    process.env['TEST_DATA_TEMPLATE'] = server.dataDir
  }
  stopShared = await startSharedServer()
}

/** Stops the shared server and deletes the template and the role of the run. */
export async function teardown(): Promise<void> {
  await stopShared?.()
  await server?.stop()
  await owner?.drop()
}
