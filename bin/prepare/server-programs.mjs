/** Builds the programs of the server in dist/server. The result is a few files instead of two thousand source files. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFolder } from './built-folder.mjs'
import { commitOf, noteCommit } from './commit.mjs'
import { isPacked, root, run, SetupError } from './programs.mjs'

const BUNDLER = join('bin', 'prepare', 'bundle-server.mjs')

/**
 * Builds the server unless dist/server is up to date. `node` is the path of the Node that runs the build. The bundle starts
 * faster: without it, loading the source files one by one takes three quarters of the start time (docs/decisions/0025).
 */
export async function prepareServer(node) {
  await prepareFolder({
    name: 'server',
    words: 'Building the server …',
    sources: () => ['package.json', 'package-lock.json', BUNDLER, 'server', 'shared'],
    isSource: (file) => /\.(mjs|ts|json)$/.test(file) && !file.endsWith('.test.ts'),
    build: async (folder) => {
      // The compile cache of the old files.
      rmSync(join(root, 'node_modules', '.cache', 'lectern-compiled'), { recursive: true, force: true })
      const code = await run(node, [join(root, BUNDLER), folder], { stdio: ['ignore', process.stderr, process.stderr] })
      if (code !== 0) throw new SetupError('The server could not be built; see the messages above.')
    },
  })
  if (!isPacked()) noteCommit(join(root, 'dist', 'server'), commitOf(root))
}

/**
 * Environment of the server that limits its unused memory. By default glibc raises its threshold for returning free memory
 * while V8 compiles the embedded database, and then retains about 100 MB. A fixed threshold (the documented default) prevents
 * this. V8 lets the space for new objects grow to 60 MB in the main thread and in the thread of the database; with semi-spaces
 * of 8 MB it is 24 MB (docs/decisions/0028).
 */
export const memoryEnv = {
  MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ ?? String(128 * 1024),
  NODE_OPTIONS: ['--max-semi-space-size=8', process.env.NODE_OPTIONS ?? ''].join(' ').trim(),
}

/** Returns the path of the built program for a source file such as `server/main.ts`. */
export const builtProgram = (source) =>
  join(root, 'dist', 'server', source.replace(/^server\//, '').replace(/\.ts$/, '.js'))
