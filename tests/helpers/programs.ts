import { fileURLToPath } from 'node:url'

const built = (name: string) => fileURLToPath(new URL(`../../dist/server/${name}`, import.meta.url))

/** The built programs of the server, as `npm start` and the commands run them. */
export const MAIN = built('main.js')
export const ADMIN_COMMAND = built('admin-command.js')
export const BACKUP_COMMAND = built('backup-command.js')

/** Builds the programs, once for all test files of a run, if a source file has changed. */
export async function setup(): Promise<void> {
  const builder = new URL('../../bin/prepare/server-programs.mjs', import.meta.url).href
  const { prepareServer } = (await import(builder)) as { prepareServer: (node: string) => Promise<void> }
  await prepareServer(process.execPath)
}
