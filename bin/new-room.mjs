/**
 * `npm run new:room <name>`: creates a room with a table, routes, a service, queries, a screen and a test, and adds it to the
 * lists of rooms, routes and tables. With `--no-build`, web/routeTree.gen.ts is not written.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { main, root, say, SetupError } from './prepare/programs.mjs'
import { roomEdits } from './prepare/room-edits.mjs'
import { roomFiles, roomRules } from './prepare/room-files.mjs'
import { roomNames } from './prepare/room-names.mjs'

const migrations = join(root, 'server', 'db', 'migrations')
/** Runs the program of an npm package. Shows its output only if it fails. */
const runPackage = (name, ...args) =>
  execFileSync(process.execPath, [join(root, 'node_modules', '.bin', name), ...args], { cwd: root, stdio: 'pipe' })

await main(async () => {
  const [room, option] = process.argv.slice(2)
  const names = roomNames(room)
  const files = roomFiles(names)
  const taken = [`server/${room}`, `web/${room}`, ...Object.keys(files)].find((path) => existsSync(join(root, path)))
  if (taken) throw new SetupError(`${taken} exists already.`)
  const edited = Object.entries(roomEdits(names)).map(([path, edit]) => [
    path,
    edit(readFileSync(join(root, path), 'utf8')),
  ])
  for (const [path, text] of [...Object.entries(files), ...edited]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  runPackage('oxfmt', ...Object.keys(files), ...edited.map(([path]) => path).filter((path) => path.endsWith('.ts')))
  runPackage('drizzle-kit', 'generate', '--name', names.table)
  runPackage('drizzle-kit', 'generate', '--custom', '--name', `${names.table}_rules`)
  const rules = readdirSync(migrations).find((name) => name.endsWith(`_${names.table}_rules.sql`))
  writeFileSync(join(migrations, rules), roomRules(names))
  runPackage('vitest', 'run', '--project', 'unit', 'tests/laws/access.test.ts', '--update')
  if (option !== '--no-build') execFileSync(process.execPath, [join(root, 'bin', 'build.mjs')], { stdio: 'inherit' })
  say(`Created the room ${room}: ${Object.keys(files).join(', ')}`)
  say(`Changed: ${edited.map(([path]) => path).join(', ')}, migrations and docs/access.md`)
})
