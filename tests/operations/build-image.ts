import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SUITE = 'trixie'
const BASE = 'localhost/lectern-test-base'
const NODE = 'localhost/lectern-test-node'
export const IMAGE = 'localhost/lectern-test-image'

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e8,
  }).trim()
const buildah = (...args: string[]) => run('buildah', ...args)

/** The parts of an image's configuration that a container engine uses, as `buildah inspect` prints them. */
export interface ImageConfig {
  User: string
  Env: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, object>
}

/**
 * Builds the image of deploy/Dockerfile with buildah, without a daemon or an image registry, and returns its configuration. The
 * base images are built from Debian packages with debootstrap. Needs root and Debian; installs buildah and debootstrap if they
 * are missing.
 */
export async function buildImage(): Promise<ImageConfig> {
  for (const program of ['buildah', 'debootstrap'])
    if (!existsSync(`/usr/bin/${program}`) && !existsSync(`/usr/sbin/${program}`))
      run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', program)
  if (!hasImage(NODE)) await buildBases()
  const npmrc = join(homedir(), '.npmrc')
  const ca = process.env['NODE_EXTRA_CA_CERTS']
  buildah(
    'build',
    '--isolation=chroot',
    '--format=docker',
    '--layers',
    `--build-arg=BASE_IMAGE=${BASE}`,
    `--build-arg=NODE_IMAGE=${NODE}`,
    ...(ca ? [`--secret=id=ca,src=${ca}`] : []),
    ...(existsSync(npmrc) ? [`--secret=id=npmrc,src=${npmrc}`] : []),
    '--pull-never',
    `--tag=${IMAGE}`,
    '--file=deploy/Dockerfile',
    '.',
  )
  const { Docker } = JSON.parse(buildah('inspect', '--type=image', IMAGE)) as { Docker: { config: ImageConfig } }
  return Docker.config
}

const hasImage = (name: string) => buildah('images', '--noheading', '--format={{.Name}}').split('\n').includes(name)

/**
 * Builds local substitutes for the two base images of deploy/Dockerfile: a minimal Debian, and the same Debian with the current
 * Node and npm.
 */
async function buildBases(): Promise<void> {
  const helper = new URL('../helpers/postgres.mjs', import.meta.url).href
  const { debianSource } = (await import(helper)) as { debianSource: () => { mirror: string; keyring: string } | null }
  const source = debianSource()
  if (source === null) throw new Error('The apt sources of this machine name no Debian mirror.')
  const folder = mkdtempSync(join(tmpdir(), 'lectern-base-'))
  try {
    run('debootstrap', '--variant=minbase', `--keyring=${source.keyring}`, SUITE, folder, source.mirror)
    for (const path of ['doc', 'man', 'locale', 'info']) rmSync(join(folder, 'usr/share', path), { recursive: true })
    for (const path of ['lib/apt/lists', 'cache/apt']) rmSync(join(folder, 'var', path), { recursive: true })
    const base = buildah('from', 'scratch')
    buildah('copy', '--quiet', base, folder, '/')
    buildah('commit', '--quiet', '--rm', base, BASE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const node = buildah('from', '--pull-never', BASE)
  const apt = 'apt-get update -q && apt-get install -qy --no-install-recommends libatomic1 libstdc++6'
  buildah('run', '--isolation=chroot', node, '--', 'sh', '-c', apt)
  buildah('copy', '--quiet', node, process.execPath, '/usr/local/bin/node')
  const npm = dirname(dirname(realpathSync(run('sh', '-c', 'command -v npm'))))
  buildah('copy', '--quiet', node, npm, '/usr/local/lib/node_modules/npm')
  buildah(
    'run',
    '--isolation=chroot',
    node,
    '--',
    'ln',
    '-s',
    '../lib/node_modules/npm/bin/npm-cli.js',
    '/usr/local/bin/npm',
  )
  buildah('commit', '--quiet', '--rm', node, NODE)
}

/** Mounts the file system of the image. Returns the folder, and a function that unmounts it. */
export function mountImage(): { folder: string; unmount: () => void } {
  const container = buildah('from', '--pull-never', IMAGE)
  return { folder: buildah('mount', container), unmount: () => void buildah('rm', container) }
}
