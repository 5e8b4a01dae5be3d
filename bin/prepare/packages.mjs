/**
 * The npm packages and the pinned Node. Plain JavaScript on purpose, like all of bin: it runs on the machine's own Node
 * (18 or newer), before the pinned one is there. It only reads when nothing is missing, so it works without a network
 * and in a folder that belongs to somebody else.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { withLock } from './lock.mjs'
import { root, run, say, SetupError, which } from './programs.mjs'

/** The oldest major version of Node that runs the server: it reads TypeScript as it stands. */
const NODE_MAJOR = 24

/** Installs what is missing and returns the path of a Node that runs the server. */
export async function prepareNode() {
  if (missingPackage() !== null) await withLock('install', installPackages)
  return newEnough([pinnedNode(root), process.execPath, 'node'])
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
  const options = { stdio: ['ignore', 'ignore', process.stderr] }
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
