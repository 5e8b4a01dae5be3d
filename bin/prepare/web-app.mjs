/** Builds the web app in dist/web. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesUnder, prepareFolder } from './built-folder.mjs'
import { programEnv, root, run, SetupError, WITHOUT_COMPILE_CACHE } from './programs.mjs'
import { limitFontWeights } from './web-fonts.mjs'

const COMPRESSIBLE = /\.(html|m?js|css|json|svg|wasm|ttf|pfb|webmanifest)$/
const COMPRESS_FROM_BYTES = 1024
/**
 * Matches the files that a first visit loads. They are compressed with Brotli's highest quality (11). Compared with quality 10,
 * they are 2 % smaller and the compression takes twice the time.
 */
const LOADED_FIRST = /\.(html|js|css)$/
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Builds the web app unless dist/web is up to date. */
export async function prepareWebApp(node) {
  await prepareFolder({
    name: 'web',
    words: 'Building the web app …',
    sources: () => ['package-lock.json', 'tsconfig.json', ...viteSettings(), 'shared', 'web'],
    // The build writes the route tree.
    isSource: (file) => !/\.test\.tsx?$|routeTree\.gen\.ts$/.test(file),
    build: async (folder) => {
      const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
      const code = await run(
        node,
        [vite, 'build', '--configLoader', 'native', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'],
        { env: programEnv(WITHOUT_COMPILE_CACHE), stdio: ['ignore', process.stderr, process.stderr] },
      )
      if (code !== 0) throw new SetupError('The web app could not be built; see the messages above.')
      await limitFontWeights(folder)
      await compressFiles(folder)
    },
  })
}

const viteSettings = () =>
  readdirSync(root)
    .filter((name) => /^vite[-.].*\.ts$/.test(name))
    .sort()

/**
 * Writes Brotli and gzip versions of the files that become smaller by compression, so that the server does not compress at run
 * time.
 */
async function compressFiles(folder) {
  const files = filesUnder(folder).filter(
    (file) => COMPRESSIBLE.test(file) && statSync(file).size >= COMPRESS_FROM_BYTES,
  )
  await Promise.all(
    files.map(async (file) => {
      const plain = readFileSync(file)
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: LOADED_FIRST.test(file) ? 11 : 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      }
      const [br, gz] = await Promise.all([brotli(plain, { params }), gzipped(plain, { level: 9 })])
      if (br.length < plain.length) writeFileSync(`${file}.br`, br)
      if (gz.length < plain.length) writeFileSync(`${file}.gz`, gz)
    }),
  )
}
