import { spawnSync } from 'node:child_process'
import { ADMIN_COMMAND } from './programs.ts'
import { type Client, signIn, signUp, type TestServer } from './server.ts'

/** Runs the operator's command on the data of a server, which must be stopped where its database is embedded. */
export function adminCommand(server: TestServer, ...words: string[]): { code: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ADMIN_COMMAND, ...words], {
    cwd: server.dataDir,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: server.dataDir,
      ...(server.databaseUrl ? { DATABASE_URL: server.databaseUrl } : {}),
    },
    encoding: 'utf8',
  })
  return { code: status, printed: stdout + stderr }
}

/** Makes an account an admin as the operator does: with the command, while the server is stopped. */
export async function signUpAdmin(server: TestServer, account: { password?: string } = {}): Promise<Client> {
  const { email, password } = await signUp(server.url, account)
  await server.kill('SIGTERM')
  const { code, printed } = adminCommand(server, 'grant', email)
  if (code !== 0) throw new Error(printed)
  await server.restart()
  return signIn(server.url, { email, password })
}
