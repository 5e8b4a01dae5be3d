import { spawnSync } from 'node:child_process'
import { ADMIN_COMMAND } from './programs.ts'
import { type Client, signIn, signUp, type TestServer } from './server.ts'

/** Makes an account an admin as the operator does: with the command, while the server is stopped. */
export async function signUpAdmin(server: TestServer): Promise<Client> {
  const { email } = await signUp(server.url)
  await server.kill('SIGTERM')
  const granted = spawnSync(process.execPath, [ADMIN_COMMAND, 'grant', email], {
    cwd: server.dataDir,
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: server.dataDir,
      ...(server.databaseUrl ? { DATABASE_URL: server.databaseUrl } : {}),
    },
  })
  if (granted.status !== 0) throw new Error(granted.stderr.toString())
  await server.restart()
  return signIn(server.url, { email })
}
