/** The built web app in dist/web. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { withLock } from './lock.mjs'
import { root, run, say, SetupError } from './programs.mjs'

const webFolder = join(root, 'dist', 'web')
const STAMP = '.source-hash'

const COMPRESSIBLE = /\.(html|m?js|css|json|svg|wasm|ttf|pfb|webmanifest)$/
const COMPRESS_FROM_BYTES = 1024
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * Builds the web app unless dist/web was made from the very files that are here now. The build goes to a folder of its
 * own that takes the old one's place in one step, so a server that is running never sees half of it.
 */
export async function prepareWebApp(node) {
  if (webAppIsFresh()) return
  await withLock('build', async () => {
    if (webAppIsFresh()) return
    say('Building the web app …')
    const hash = webSourceHash()
    const fresh = join(root, 'dist', `web-${process.pid}`)
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    const code = await run(
      node,
      [vite, 'build', '--configLoader', 'native', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
      {
        stdio: ['ignore', process.stderr, process.stderr],
      },
    )
    if (code !== 0) {
      rmSync(fresh, { recursive: true, force: true })
      throw new SetupError('The web app could not be built; the lines above say why.')
    }
    await compressFiles(fresh)
    writeFileSync(join(fresh, STAMP), hash)
    const old = join(root, 'dist', `web-old-${process.pid}`)
    if (existsSync(webFolder)) renameSync(webFolder, old)
    renameSync(fresh, webFolder)
    rmSync(old, { recursive: true, force: true })
  })
}

/** Puts a Brotli and a gzip form beside every file that gains by it, so that the server never compresses them itself. */
async function compressFiles(folder) {
  const files = filesUnder(folder).filter(
    (file) => COMPRESSIBLE.test(file) && statSync(file).size >= COMPRESS_FROM_BYTES,
  )
  await Promise.all(
    files.map(async (file) => {
      const plain = readFileSync(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
      const [br, gz] = await Promise.all([brotli(plain, { params }), gzipped(plain, { level: 9 })])
      if (br.length < plain.length) writeFileSync(`${file}.br`, br)
      if (gz.length < plain.length) writeFileSync(`${file}.gz`, gz)
    }),
  )
}

function webAppIsFresh() {
  const stamp = join(webFolder, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === webSourceHash()
}

/** A hash over everything the web app is made of. The route tree is left out: the build itself writes it. */
function webSourceHash() {
  const hash = createHash('sha256')
  const settings = readdirSync(root).filter((name) => /^vite[-.].*\.ts$/.test(name))
  for (const path of ['package-lock.json', 'tsconfig.json', ...settings.sort(), 'shared', 'web']) {
    for (const file of filesUnder(join(root, path))) {
      if (/\.test\.tsx?$|routeTree\.gen\.ts$/.test(file)) continue
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name.startsWith('.') ? [] : filesUnder(join(path, name))))
}
