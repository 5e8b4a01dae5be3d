import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from './server.ts'

/**
 * An embedded database that is created once for all files of a run: each server under test begins with a copy of it,
 * which takes half of what creating one takes. Where TEST_DATABASE_URL names a server there is nothing to do.
 */
export async function setup(): Promise<void> {
  if (process.env['TEST_DATABASE_URL']) return
  const server = await startServer()
  await server.kill('SIGTERM')
  await rm(join(server.dataDir, 'files'), { recursive: true, force: true })
  process.env['TEST_DATA_TEMPLATE'] = server.dataDir
}

/** Removes it. */
export async function teardown(): Promise<void> {
  const template = process.env['TEST_DATA_TEMPLATE']
  if (template) await rm(template, { recursive: true, force: true })
}
