import { type Import, importsOf, isTest, roomOf, type SourceFile } from './source-files.ts'

/** Folders of the server that do not depend on rooms. Every file of the server may import their files directly. */
export const PLATFORM = ['db', 'events', 'fetch', 'http', 'language', 'lib', 'mail', 'queue', 'storage', 'workers']

/**
 * Folders whose files may be imported directly. Every other folder is a room, which other rooms import only by its door
 * (index.ts).
 */
const OPEN = new Set([...PLATFORM.map((folder) => `server/${folder}`), 'web/lib', 'web/ui'])

/** The only files that may import `routes.ts` and `jobs.ts` of a room. They assemble the server from the rooms. */
const COMPOSERS = new Set(['server/app.ts', 'server/main.ts', 'server/start.ts'])
const COMPOSED = /\/(routes|jobs)\.ts$/

/**
 * The only packages that `shared` may import. They have no dependencies and no side effects, so they run in browsers, on the
 * server and in workers.
 */
const OF_SHARED = new Set(['zod', 'approx-string-match', 'fast-diff'])
const SHARED_IMPORTS = 'shared imports zod, approx-string-match and fast-diff only'

const isOurs = (target: string) => /^(server|web|shared|tests)\//.test(target)
const isDoor = (target: string) => /^(server|web)\/[^/]+\/index\.tsx?$/.test(target)
const side = (path: string) => path.split('/')[0]

/** Returns the law that an import breaks, or null if it breaks none. */
function brokenLaw({ from, target, typeOnly, relative }: Import): string | null {
  if (!isOurs(target)) {
    if (side(from) === 'shared' && !OF_SHARED.has(target)) return SHARED_IMPORTS
    return null
  }
  if (target.startsWith('tests/')) return 'shipped code does not import from the tests'
  if (roomOf(from) === roomOf(target)) return relative || !isDoor(target) ? null : 'a room does not import its own door'
  if (relative && side(from) !== 'shared' && roomOf(from) !== from) return 'relative imports stay inside a room'
  if (side(target) === 'shared') return null
  if (side(from) === 'shared') return SHARED_IMPORTS
  if (side(from) === 'web' && side(target) === 'server') {
    return typeOnly && COMPOSERS.has(target) ? null : 'web imports only the type of server/app.ts from server'
  }
  if (side(from) === 'server' && side(target) === 'web') return 'server does not import from web'
  if (roomOf(from) === 'web/ui') return 'web/ui does not import other folders'
  if (OPEN.has(roomOf(from)) && !OPEN.has(roomOf(target))) {
    return typeOnly ? null : `${roomOf(from)} is below the rooms and does not import them`
  }
  if (OPEN.has(roomOf(target)) || isDoor(target) || roomOf(target) === target) return null
  if (COMPOSERS.has(from) && COMPOSED.test(target)) return null
  if (from === 'web/main.tsx') return null
  return 'import another room by its door, index.ts'
}

/** Returns every import that breaks a law, as `file -> target: law`. Ignores test files, which may import everything. */
export function brokenImports(files: SourceFile[]): string[] {
  return files
    .filter((file) => !isTest(file.path))
    .flatMap(importsOf)
    .flatMap((one) => {
      const law = brokenLaw(one)
      return law === null ? [] : [`${one.from} -> ${one.target}: ${law}`]
    })
}

/**
 * Returns a cycle of rooms that import each other's doors, as `a -> b -> a`, or null. Ignores type imports, because they do not
 * exist at run time.
 */
export function circleOfDoors(files: SourceFile[]): string | null {
  const links = new Map<string, Set<string>>()
  for (const one of files.filter((file) => !isTest(file.path)).flatMap(importsOf)) {
    const [from, to] = [roomOf(one.from), roomOf(one.target)]
    if (one.typeOnly || !isDoor(one.target) || from === to) continue
    links.set(from, (links.get(from) ?? new Set()).add(to))
  }
  return findCircle(new Map([...links].map(([from, targets]) => [from, [...targets]])))
}

/**
 * Returns a cycle of files that import each other, as `a -> b -> a`, or null. Type imports count, because a cycle of types also
 * makes the code harder to read.
 */
export function circleOfFiles(files: SourceFile[]): string | null {
  const links = new Map(files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]))
  return findCircle(links)
}

function findCircle(links: ReadonlyMap<string, readonly string[]>): string | null {
  const done = new Set<string>()
  const walk = (node: string, path: string[]): string | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(' -> ')
    if (done.has(node)) return null
    for (const next of links.get(node) ?? []) {
      const circle = walk(next, [...path, node])
      if (circle !== null) return circle
    }
    done.add(node)
    return null
  }
  for (const node of links.keys()) {
    const circle = walk(node, [])
    if (circle !== null) return circle
  }
  return null
}
