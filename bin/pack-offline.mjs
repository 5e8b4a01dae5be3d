/**
 * `npm run pack:offline`: writes dist/lectern-<version>-<system>-<processor>.tar.gz with the built program, the packages that
 * it needs, the pinned Node, and the data of OCR and of the embedding model. Another machine with the same system and processor
 * can start it without a network.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareNode } from './prepare/packages.mjs'
import { main, PACKED, root, run, say, SetupError } from './prepare/programs.mjs'
import { linkFiles, linkPackages } from './prepare/runtime-files.mjs'
import { prepareServer } from './prepare/server-programs.mjs'
import { prepareWebApp } from './prepare/web-app.mjs'

await main(async () => {
  const node = await prepareNode()
  await prepareWebApp(node)
  await prepareServer(node)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `lectern-${version}-${process.platform}-${process.arch}`
  const work = join(root, 'dist', 'offline')
  const archive = join(root, 'dist', `${name}.tar.gz`)
  rmSync(work, { recursive: true, force: true })
  try {
    collect(join(work, name))
    say('Packing …')
    if ((await run('tar', ['-czf', archive, '-C', work, name])) !== 0)
      throw new SetupError('The archive could not be written; see the messages above.')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  console.log(`${archive} (${Math.round(statSync(archive).size / 1e6)} MB)`)
})

/** Links all files that the program needs into `folder`. */
function collect(folder) {
  mkdirSync(folder, { recursive: true })
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  const sources = tracked.split('\0').filter((path) => path && !path.startsWith('tests/'))
  linkFiles(root, folder, sources)
  linkFiles(root, folder, ['dist/web', 'dist/server'])
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  linkPackages(root, folder, lock)
  // The pinned Node; the others are not installed.
  linkFiles(
    root,
    folder,
    Object.keys(lock.packages[''].optionalDependencies).map((name) => `node_modules/${name}`),
  )
  writeFileSync(
    join(folder, PACKED),
    'Packages and programs are complete: nothing is installed or built at the start.\n',
  )
}
