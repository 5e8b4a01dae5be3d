/**
 * PostgreSQL 17 with pgvector for the tests, on any Debian-like machine and without root rights. Downloads the packages
 * of Debian trixie with apt, from the mirror in the apt sources of the machine, unpacks them in a cache folder and runs
 * them with their own C library. Changes nothing else on the machine.
 * Plain JavaScript, because `npm test` runs it on any Node from version 18.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { debianMirror } from './apt-sources.mjs'

const SUITE = 'trixie'
const VERSION = 17
const PACKAGES = [`postgresql-${VERSION}`, `postgresql-${VERSION}-pgvector`, 'tzdata']
const NOBODY = 65534

/**
 * Starts a temporary PostgreSQL server on loopback. If TEST_DATABASE_URL is set, starts no server and returns
 * TEST_DATABASE_URL.
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | { skipped: string }>} the address of the database `postgres`
 * for the superuser, or the reason why no server can run on this machine
 */
export async function ensurePostgres() {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const folder = cacheFolder()
  if (!isComplete(folder)) {
    const reason = fetchPostgres(folder)
    if (reason !== null) return { skipped: reason }
  }
  return startCluster(folder)
}

/**
 * Returns the cache folder for the unpacked packages. For root it is outside of root's home folder, because the server runs as
 * another user, who cannot read that folder.
 */
function cacheFolder() {
  const asked = process.env.LECTERN_TEST_POSTGRES_DIR
  if (asked) return asked
  const isRoot = process.getuid?.() === 0
  const cache = process.env.XDG_CACHE_HOME || (isRoot ? '/var/cache' : join(homedir(), '.cache'))
  return join(cache, 'lectern', `postgres-${VERSION}`)
}

const isComplete = (folder) => existsSync(join(folder, 'complete'))

/**
 * Downloads the packages and unpacks them into a temporary folder, which is renamed to `folder` when it is complete. Returns
 * null, or the reason of a failure.
 */
function fetchPostgres(folder) {
  if (process.platform !== 'linux')
    return 'only on Linux: set TEST_DATABASE_URL to test against a PostgreSQL of your own'
  if (!runs('apt-get', ['--version']) || !runs('dpkg-deb', ['--version'])) {
    return 'no apt on this machine: set TEST_DATABASE_URL to test against a PostgreSQL of your own'
  }
  const source = debianSource()
  if (source === null) return "the machine's apt sources name no Debian mirror"
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}.new-`)
  try {
    chmodSync(work, 0o755)
    const failure = downloadPackages(work, source) ?? unpack(work)
    if (failure !== null) return failure
    rmSync(join(work, 'apt'), { recursive: true, force: true })
    writeFileSync(join(work, 'complete'), '')
    renameSync(work, folder)
    return null
  } catch (error) {
    // Another process has created the folder first, with the same content.
    if (isComplete(folder)) return null
    throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Downloads the packages with all their dependencies, even those that the machine has, such as the C library. Returns null, or
 * the reason of a failure.
 */
function downloadPackages(work, source) {
  const apt = join(work, 'apt')
  for (const path of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, path), { recursive: true })
  writeFileSync(join(apt, 'status'), '')
  writeFileSync(join(apt, 'sources.list'), `deb [signed-by=${source.keyring}] ${source.mirror} ${SUITE} main\n`)
  const options = [
    `Dir::State=${join(apt, 'state')}`,
    `Dir::State::status=${join(apt, 'status')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    `Dir::Etc::sourcelist=${join(apt, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    'Dir::Etc::preferences=-',
    'Dir::Etc::preferencesparts=-',
    'Dir::Log=/dev/null',
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'APT::Install-Recommends=0',
    'APT::Update::Post-Invoke=',
    'Acquire::Languages=none',
    'Acquire::Retries=3',
    'Acquire::http::Timeout=30',
  ].flatMap((option) => ['-o', option])
  for (const args of [
    ['update', '-q'],
    ['install', '-q', '-y', '--download-only', ...PACKAGES],
  ]) {
    const result = spawnSync('apt-get', [...options, ...args], { encoding: 'utf8', timeout: 300_000 })
    const complaint = result.stderr?.split('\n').find((line) => /^(E|W):/.test(line))
    // `update` exits with 0 and warnings when it could not fetch the lists; `install` fails then.
    if (result.status !== 0)
      return `apt-get ${args[0]} failed for Debian ${SUITE}: ${complaint ?? result.error?.message ?? 'no reason given'}`
  }
  return null
}

function unpack(work) {
  const archives = join(work, 'apt', 'cache', 'archives')
  const root = join(work, 'root')
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    const result = spawnSync('dpkg-deb', ['-x', join(archives, name), root], { encoding: 'utf8' })
    if (result.status !== 0) return `dpkg-deb could not unpack ${name}: ${result.stderr}`
  }
  wrapPrograms(root)
  return null
}

/**
 * Replaces `postgres` and `initdb` by scripts that run the real program with the downloaded loader and libraries, because it
 * may need a newer C library than the machine has. `initdb` starts `postgres` from its own folder, so it finds that script.
 */
function wrapPrograms(root) {
  const bin = join(root, 'usr/lib/postgresql', String(VERSION), 'bin')
  const triplet = readdirSync(join(root, 'usr/lib')).find((name) => /-linux-gnu/.test(name))
  for (const program of ['postgres', 'initdb']) {
    renameSync(join(bin, program), join(bin, `${program}.real`))
    const script = [
      '#!/bin/sh',
      'here=$(cd "$(dirname "$0")" && pwd)',
      `lib="$here/../../../${triplet}"`,
      `exec "$lib/${loaderName()}" --library-path "$lib" --argv0 "$here/${program}" "$here/${program}.real" "$@"`,
    ]
    writeFileSync(join(bin, program), `${script.join('\n')}\n`, { mode: 0o755 })
  }
}

const loaderName = () => (process.arch === 'arm64' ? 'ld-linux-aarch64.so.1' : 'ld-linux-x86-64.so.2')

/** Returns the Debian mirror and keyring of the apt sources of this machine, or null. */
export function debianSource() {
  const folder = '/etc/apt/sources.list.d'
  const more = existsSync(folder) ? readdirSync(folder).sort() : []
  const paths = [
    '/etc/apt/sources.list',
    ...more.filter((name) => /\.(list|sources)$/.test(name)).map((name) => join(folder, name)),
  ]
  const found = debianMirror(
    paths.filter((path) => existsSync(path)).map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  )
  if (found === null) return null
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  return { mirror: found.mirror, keyring: existsSync(keyring) ? keyring : (found.keyring ?? keyring) }
}

function runs(program, args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

/**
 * Creates a cluster in a temporary folder and starts it. PostgreSQL refuses to run as root, so another user runs it.
 */
async function startCluster(folder) {
  const bin = join(folder, 'root/usr/lib/postgresql', String(VERSION), 'bin')
  const home = mkdtempSync(join(tmpdir(), 'lectern-postgres-'))
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) chownSync(home, NOBODY, NOBODY)
  const options = { ...user, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', HOME: home } }
  const data = join(home, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-sync',
    ],
    { ...options, encoding: 'utf8' },
  )
  if (made.status !== 0) {
    rmSync(home, { recursive: true, force: true })
    throw new Error(`initdb failed in ${basename(folder)}:\n${made.stdout}${made.stderr}${made.error ?? ''}`)
  }
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    dynamic_shared_memory_type: 'mmap',
    max_connections: 200,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // The server turns it off in its connections. It would load LLVM for single statements of pg-boss and the tests.
    jit: 'off',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  // An uncaught error ends this process without `stop`.
  const kill = () => server.kill('SIGINT')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    if (server.exitCode === null) {
      const exited = new Promise((resume) => server.once('exit', resume))
      kill()
      await exited
    }
    rmSync(home, { recursive: true, force: true })
  }
  await untilReady(server).catch(async (error) => {
    await stop()
    throw error
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

/**
 * Waits until the log of the server reports that it is ready. The function does not test a connection, because this would need
 * a PostgreSQL driver.
 */
function untilReady(server) {
  return new Promise((done, fail) => {
    let output = ''
    const timer = setTimeout(() => fail(new Error(`PostgreSQL was not ready within 60 s:\n${output}`)), 60_000)
    const read = (chunk) => {
      output = (output + chunk).slice(-20_000)
      if (!output.includes('database system is ready to accept connections')) return
      clearTimeout(timer)
      done()
    }
    server.stdout.on('data', read)
    server.stderr.on('data', read)
    server.once('exit', (code) => {
      clearTimeout(timer)
      fail(new Error(`PostgreSQL ended at start (${code}):\n${output}`))
    })
  })
}

function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}
