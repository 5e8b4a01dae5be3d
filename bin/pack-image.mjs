/**
 * `node bin/pack-image.mjs <folder> [processor]`: collects the files of the container image in a folder: the built programs,
 * the pinned Node (bin/node) and the packages that the server needs. They are for Linux on the given processor (x64 or arm64;
 * default: the processor of this machine). The Dockerfile runs it after dist has been built and the packages have been
 * installed.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, root, SetupError } from './prepare/programs.mjs'
import { linkFiles, linkPackages } from './prepare/runtime-files.mjs'

await main(() => {
  const [folder, arch = process.arch] = process.argv.slice(2)
  if (!folder) throw new SetupError('Usage: node bin/pack-image.mjs <folder> [processor]')
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  linkPackages(root, folder, read('package-lock.json'), { platform: 'linux', arch })
  // The bundles have the code; migrations and the sample stay beside their source.
  const files = ['server', 'shared'].flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && !/\.ts$|_snapshot\.json$/.test(file.name))
      .map((file) => join(file.parentPath, file.name).slice(root.length + 1)),
  )
  linkFiles(root, folder, ['package.json', 'LICENSE', 'NOTICE', 'dist/web', 'dist/server', ...files])
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const node = `node_modules/node-linux-${arch}`
  copyFileSync(join(root, node, 'bin', 'node'), join(folder, 'bin', 'node'))
  linkFiles(root, folder, [`${node}/LICENSE`])
})
