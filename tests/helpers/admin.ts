import { spawn } from 'node:child_process'
import { api } from '#shared/contract/paths.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { ADMIN_COMMAND } from './programs.ts'
import { type Client, signIn, signUp, type TestServer } from './server.ts'

interface Ended {
  code: number | null
  printed: string
}

/**
 * Runs `npm run admin` on the data of a server. Stop the server first if its database is embedded. The function is
 * asynchronous, because a blocked test process does not notice that a server closes an idle HTTP connection, and would send its
 * next request on it.
 */
export const adminCommand = (server: TestServer, ...words: string[]): Promise<Ended> =>
  adminCommandWith(server, {}, ...words)

/** Runs `npm run admin` with the arguments `words`. `env`: additional environment variables. `input`: the standard input. */
export async function adminCommandWith(
  server: TestServer,
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string },
  ...words: string[]
): Promise<Ended> {
  const place = placeOf(server)
  const child = spawn(process.execPath, [ADMIN_COMMAND, ...words], { ...place, env: { ...place.env, ...env } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stdin.end(input)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, printed }
}

const placeOf = (server: TestServer) => ({
  cwd: server.dataDir,
  env: {
    PATH: process.env['PATH'],
    DATA_DIR: server.dataDir,
    ...(server.databaseUrl ? { DATABASE_URL: server.databaseUrl } : {}),
  },
})

/**
 * Signs up an administrator and returns its client. The first account of a server is an administrator. A later account becomes
 * one by `npm run admin -- grant`; a server with an embedded database is stopped while the command runs.
 */
export async function signUpAdmin(server: TestServer, account: { password?: string } = {}): Promise<Client> {
  const client = await signUp(server.url, account)
  if ((await client.json<{ data: Profile }>(api.profile(client.userId))).data.is_admin) return client
  const { email, password } = client
  if (server.databaseUrl === undefined) await server.kill('SIGTERM')
  const { code, printed } = await adminCommand(server, 'grant', email)
  if (code !== 0) throw new Error(printed)
  if (server.databaseUrl !== undefined) return client
  await server.restart()
  return signIn(server.url, { email, password })
}
