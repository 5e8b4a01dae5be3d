/**
 * What must be in place before anything of ours can run, and nothing else: npm packages, the pinned Node, the built web
 * app, a Chromium for the tests. Plain JavaScript on purpose: it is the one part that runs on the machine's own Node
 * (18 or newer), before the pinned one is there. Everything here only reads when nothing is missing, so it works
 * without a network and in a folder that belongs to somebody else.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** The oldest major version of Node that runs the server: it reads TypeScript as it stands. */
const NODE_MAJOR = 24

const binaries = join(root, 'node_modules', '.bin')

/** A failure whose words are meant for the person at the terminal; shown without a stack. */
export class SetupError extends Error {}

/** Tells a person what is going on, on stderr: stdout belongs to the program that is handed over to. */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/** The environment of every program of ours: the package's own binaries, the pinned Node among them, come first. */
export function programEnv(extra = {}) {
  return { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, ...extra }
}

/** Installs what is missing and returns the path of a Node that runs the server. */
export async function prepareNode() {
  if (missingPackage() !== null) await withLock('install', installPackages)
  return newEnough([pinnedNode(root), process.execPath, 'node'])
}

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
    writeFileSync(join(fresh, STAMP), hash)
    const old = join(root, 'dist', `web-old-${process.pid}`)
    if (existsSync(webFolder)) renameSync(webFolder, old)
    renameSync(fresh, webFolder)
    rmSync(old, { recursive: true, force: true })
  })
}

/** The path of a Chromium, or null. As root on Debian one that is missing is installed when `install` is true. */
export async function prepareChromium({ install = false } = {}) {
  const found = findChromium()
  if (found !== null || !install || process.getuid?.() !== 0 || which('apt-get') === null) return found
  say('Installing Chromium for the browser tests …')
  const options = {
    stdio: ['ignore', 'ignore', process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  await run('apt-get', ['update', '-qq'], options)
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'], options)
  return findChromium()
}

/** Runs a program to its end with our environment and returns its exit code; 1 when it could not be started. */
export function run(program, args, options = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, env: programEnv(), stdio: 'inherit', ...options })
    child.on('error', (error) => {
      say(`${program}: ${error.message}`)
      done(1)
    })
    child.on('exit', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/**
 * Gives the terminal to a program: its input and output, our signals, and its exit code as ours. Control-C reaches a
 * program on the same terminal by itself; passing it on again would look like a second, impatient one.
 */
export async function handOver(program, args, env = {}) {
  const child = spawn(program, args, { cwd: root, env: programEnv(env), stdio: 'inherit' })
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise((done) => {
    child.on('error', (error) => {
      say(`${program}: ${error.message}`)
      done(1)
    })
    child.on('exit', (code, signal) => done(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/** Runs a script's main function; a failure that is meant for people is one line, any other keeps its stack. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    say(error instanceof SetupError ? error.message : String(error.stack ?? error))
    process.exitCode = 1
  }
}

/** The first of the given programs that PATH holds, as a path, or null. */
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name)
      if (folder !== '' && existsSync(path)) return path
    }
  }
  return null
}

function findChromium() {
  const named = process.env.CHROMIUM
  if (named) {
    if (existsSync(named)) return named
    throw new SetupError(`CHROMIUM names ${named}, which is not there.`)
  }
  return which('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
}

/** Where the pinned Node is in a folder that npm has installed into. */
function pinnedNode(folder) {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(folder, 'node_modules', nodePackage(), 'bin', binary)
}

/** The package that holds the pinned Node for this system; there is not one for every system. */
function nodePackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
}

function newEnough(candidates) {
  const found = candidates.find((node) => nodeMajor(node) >= NODE_MAJOR)
  if (found !== undefined) return found
  throw new SetupError(
    `Lectern needs Node ${NODE_MAJOR}, which its packages bring along for Linux and Windows only: install Node ${NODE_MAJOR} or newer and try again.`,
  )
}

function nodeMajor(node) {
  if (node === process.execPath) return Number.parseInt(process.versions.node, 10)
  const answer = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number.parseInt(/^v(\d+)/.exec(answer.stdout ?? '')?.[1] ?? '0', 10)
}

/**
 * The first package of package-lock.json that node_modules does not hold in its version, or null. npm writes its own
 * record as the last thing it does, so an installation that was cut short does not count.
 */
function missingPackage() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return 'node_modules'
  const there = JSON.parse(readFileSync(record, 'utf8')).packages ?? {}
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages ?? {}
  const missing = Object.entries(wanted).find(([path, entry]) => {
    if (path === '' || entry.link) return false
    const found = there[path]
    return found === undefined ? !entry.optional || isForThisSystem(entry) : found.version !== entry.version
  })
  return missing?.[0] ?? null
}

/** Whether an optional package says that this very system needs it. Those that name no system stand in for others. */
function isForThisSystem(entry) {
  if (!entry.os?.includes(process.platform) || !entry.cpu?.includes(process.arch)) return false
  return (
    entry.libc === undefined ||
    entry.libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')
  )
}

/**
 * Installs the packages with the pinned Node, which is fetched first where the machine's own is older: npm leaves out,
 * without a word, the native packages that do not support the Node it runs on.
 */
async function installPackages() {
  if (missingPackage() === null) return
  say('Installing packages (once, about a minute) …')
  const npm = npmScript()
  const options = { stdio: ['ignore', process.stderr, process.stderr] }
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const early = join(root, '.cache', 'node')
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies[nodePackage()]
  if (nodeMajor(process.execPath) < NODE_MAJOR && version !== undefined) {
    mkdirSync(early, { recursive: true })
    const wanted = `${nodePackage()}@${version}`
    await run(
      process.execPath,
      [npm, 'install', '--prefix', early, '--no-save', '--no-package-lock', ...quiet, wanted],
      options,
    )
  }
  const node = newEnough([process.execPath, pinnedNode(early), 'node'])
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  const code = await run(node, [npm, 'ci', '--include=dev', '--include=optional', ...quiet], { ...options, env })
  const missing = missingPackage()
  if (code !== 0 || missing !== null) {
    throw new SetupError(
      `The packages could not be installed${code === 0 ? ` (${missing} is missing)` : '; the lines above say why'}. The first start needs the network.`,
    )
  }
  rmSync(early, { recursive: true, force: true })
}

/** npm as a script, so that a Node of our choice can run it: the one that runs us, or the one on PATH. */
function npmScript() {
  const onPath = which('npm')
  const candidates = [
    process.env.npm_execpath ?? '',
    onPath === null ? '' : realpathSync(onPath),
    join(dirname(onPath ?? process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const found = candidates.find((path) => path.endsWith('npm-cli.js') && existsSync(path))
  if (found === undefined)
    throw new SetupError('npm was not found: it comes with Node, or as a package of your system.')
  return found
}

const webFolder = join(root, 'dist', 'web')
const STAMP = '.source-hash'

function webAppIsFresh() {
  const stamp = join(webFolder, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === webSourceHash()
}

/** A hash over everything the web app is made of. The route tree is left out: the build itself writes it. */
function webSourceHash() {
  const hash = createHash('sha256')
  for (const path of ['package-lock.json', 'vite.config.ts', 'tsconfig.json', 'shared', 'web']) {
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

/** Runs `body` while no other process runs the same step here; the lock of a process that died counts for nothing. */
async function withLock(step, body) {
  const lock = join(root, '.cache', `${step}.lock`)
  while (!takeLock(lock)) await new Promise((resume) => setTimeout(resume, 300))
  try {
    await body()
  } finally {
    rmSync(lock, { force: true })
  }
}

function takeLock(lock) {
  try {
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new SetupError(
        `Something must be installed or built here first, and ${root} cannot be written: ${error.message}`,
      )
    }
  }
  try {
    const owner = readFileSync(lock, 'utf8')
    // A lock whose owner has not written its number yet is one being taken right now.
    if (owner !== '' && !isAlive(Number.parseInt(owner, 10))) rmSync(lock, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return false
}

function isAlive(pid) {
  if (!Number.isInteger(pid)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
