import { startServer, type TestServer } from './server.ts'
import { signUpByRequest } from './client.ts'
import { addAccountStore, readStoredPassword, RUN_PASSWORD } from './stored-account.ts'

/** The parts of a server that a test file can use without an effect on other files. */
export type SharedServer = Pick<TestServer, 'url' | 'dataDir' | 'databaseUrl' | 'pid'>

const RUN_SERVER = 'TEST_SHARED_SERVER'

/**
 * Starts the server of the run. Creates its first account, the administrator, so that accounts of test files have no
 * administrator rights. All accounts that `signUp` inserts have the stored password of that account. Returns the function that
 * stops it.
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
 * Returns the server of the run with default settings, which test files share, because a start costs as much as several tests. A
 * file signs up accounts with random addresses, and does not depend on rows of all accounts, such as figures of the
 * administration and journals. A file that needs other settings, a restart or an administrator starts its own server.
 */
export function sharedServer(): SharedServer {
  const server = JSON.parse(process.env[RUN_SERVER]!) as SharedServer
  addAccountStore(server.url, server)
  return server
}
