/**
 * `node bin/prepare/bundle-server.mjs <folder> [program]`, on the pinned Node: bundles the programs of the server, or the given
 * program that uses source files of the server, with their worker threads and packages. The packages of LOADED
 * (runtime-files.mjs) are not bundled and stay in node_modules.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './programs.mjs'
import { LOADED } from './runtime-files.mjs'

const PROGRAMS = ['server/main.ts', 'server/admin-command.ts', 'server/backup-command.ts']
/** Matches the path of a worker thread's source file in `new Worker(new URL(…))`. */
const THREAD = /new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g

const server = join(root, 'server')
const [target, program] = process.argv.slice(2)
const folder = resolve(target)
const programOf = (path) =>
  (path.startsWith(server + sep) ? relative(server, path).replaceAll(sep, '.') : basename(path)).replace(/\.ts$/, '')

const entries = (program ? [program] : PROGRAMS).map((path) => join(root, path))
for (const name of readdirSync(server, { recursive: true })) {
  if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
  const path = join(server, name)
  for (const [, thread] of readFileSync(path, 'utf8').matchAll(THREAD)) entries.push(resolve(dirname(path), thread))
}

/**
 * A plugin of the bundler that replaces `import.meta.url` by the URL of the source file, so that bundled code finds the files
 * beside its source. URLs of worker threads refer to the built folder instead.
 */
const ownPlaces = {
  name: 'own-places',
  transform: {
    filter: { id: /[\\/]server[\\/].*\.ts$/, code: /import\.meta\./ },
    handler(code, id) {
      const threads = code.replace(THREAD, (_, thread) => {
        return `new URL('./${programOf(resolve(dirname(id), thread))}.js', import.meta.ownUrl)`
      })
      const place = `new URL('${relative(folder, id).replaceAll(sep, '/')}', import.meta.url).href`
      return { code: threads.replaceAll('import.meta.url', place).replaceAll('import.meta.ownUrl', 'import.meta.url') }
    },
  },
}

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((path) => [programOf(path), path])),
  cwd: root,
  platform: 'node',
  external: (id) => LOADED.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [ownPlaces],
})
await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name].js',
  keepNames: true,
  comments: false,
  // V8 keeps the source in memory, with two bytes a character if one is not ASCII. Lines and names stay readable in stack
  // traces.
  minify: {
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: false, asciiOnly: true, legalComments: 'none' },
  },
})
await bundle.close()
