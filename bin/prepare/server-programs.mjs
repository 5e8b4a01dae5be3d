/** The server's programs in dist/server, each a file or a few instead of two thousand. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFolder } from './built-folder.mjs'
import { commitOf, noteCommit } from './commit.mjs'
import { root, run, SetupError } from './programs.mjs'

const BUNDLER = join('bin', 'prepare', 'bundle-server.mjs')

/**
 * Builds the server unless dist/server was made from the very files that are here now: finding, reading and translating
 * the files one by one is three quarters of what a start costs (docs/decisions/0025).
 */
export async function prepareServer(node) {
  await prepareFolder({
    name: 'server',
    words: 'Building the server …',
    sources: () => ['package.json', 'package-lock.json', BUNDLER, 'server', 'shared'],
    isSource: (file) => /\.(mjs|ts|json)$/.test(file) && !file.endsWith('.test.ts'),
    build: async (folder) => {
      // What was translated of the old files.
      rmSync(join(root, 'node_modules', '.cache', 'lectern-compiled'), { recursive: true, force: true })
      const code = await run(node, [join(root, BUNDLER), folder], { stdio: ['ignore', process.stderr, process.stderr] })
      if (code !== 0) throw new SetupError('The server could not be built; the lines above say why.')
    },
  })
  noteCommit(join(root, 'dist', 'server'), commitOf(root))
}

/** Where `prepareServer` puts the program of a file of server/, as `server/main.ts`. */
export const builtProgram = (source) =>
  join(root, 'dist', 'server', source.replace(/^server\//, '').replace(/\.ts$/, '.js'))
