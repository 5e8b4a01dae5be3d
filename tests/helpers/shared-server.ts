import { startServer, type TestServer } from './server.ts'
import { signUpByRequest } from './client.ts'
import { addAccountStore, readStoredPassword, RUN_PASSWORD } from './stored-account.ts'

/** The properties of the shared server that a test file may use. It must not stop or restart the server. */
export type SharedServer = Pick<TestServer, 'url' | 'dataDir' | 'databaseUrl' | 'pid'>

const RUN_SERVER = 'TEST_SHARED_SERVER'

/**
 * Starts the server that all test files of a run share. Creates its first account, which becomes the administrator, so that no
 * account of a test file has administrator rights. `signUp` inserts accounts with the same stored password. Returns the
 * function that stops the server.
 */
export async function startSharedServer(): Promise<() => Promise<void>> {
  // The default pool size, because several test files use the server at the same time.
  const server = await startServer({ env: { DATABASE_POOL: '20' } })
  const { userId } = await signUpByRequest(server.url)
  process.env[RUN_PASSWORD] = await readStoredPassword(server, userId)
  const { url, dataDir, databaseUrl, pid } = server
  process.env[RUN_SERVER] = JSON.stringify({ url, dataDir, databaseUrl, pid })
  return async () => {
    const isUp = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isUp) process.stderr.write(`The shared server has ended:\n${server.output()}\n`)
    await server.stop()
  }
}

/**
 * Returns the server with default settings that the test files of a run share, because a start costs as much as several tests.
 * A test file creates accounts with random addresses, and must not depend on data of all accounts, such as statistics and
 * journals. A file that needs other settings, a restart or an administrator starts its own server.
 */
export function sharedServer(): SharedServer {
  const server = JSON.parse(process.env[RUN_SERVER]!) as SharedServer
  addAccountStore(server.url, server)
  return server
}
