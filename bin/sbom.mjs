/**
 * `npm run sbom [file]`: writes the bill of materials of the shipped packages (CycloneDX JSON) to dist/sbom.cdx.json or to
 * the given file. It reads package-lock.json only, so it needs no network and the result is the same on every machine.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { root, SetupError, main } from './prepare/programs.mjs'

await main(async () => {
  const target = resolve(root, process.argv[2] ?? 'dist/sbom.cdx.json')
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
    '--package-lock-only',
  ]
  const made = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (made.status !== 0) throw new SetupError(`npm could not write the bill of materials:\n${made.stderr}`)
  const { components } = JSON.parse(made.stdout)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, made.stdout)
  console.log(`${components.length} components are in ${target}`)
})
