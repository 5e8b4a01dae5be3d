import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer, type TestServer } from './server.ts'
import { createOwner, type Owner, RUN_OWNER, RUN_TEMPLATE } from './test-database.ts'

let server: TestServer | undefined
let owner: Owner | undefined

/**
 * A database that is created once for all files of a run, on the server of TEST_DATABASE_URL or embedded: each server under
 * test begins with a copy of it, which takes half of what creating one takes. On a server all databases of the run belong to
 * a role that is made for it and is no superuser.
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
    return
  }
  await rm(join(server.dataDir, 'files'), { recursive: true, force: true })
  process.env['TEST_DATA_TEMPLATE'] = server.dataDir
}

/** Removes it. */
export async function teardown(): Promise<void> {
  await server?.stop()
  await owner?.drop()
}
