import { type Import, importsOf, isTest, roomOf, type SourceFile } from './source-files.ts'

/** Folders whose files anybody on their side imports directly; every other folder is a room with a door. */
const OPEN = new Set(['server/lib', 'server/db', 'web/lib', 'web/ui'])

/** The only files that put rooms together, and so reach past their doors to these two. */
const COMPOSERS = new Set(['server/app.ts', 'server/main.ts', 'server/start.ts'])
const COMPOSED = /\/(routes|jobs)\.ts$/

const isOurs = (target: string) => /^(server|web|shared|tests)\//.test(target)
const isDoor = (target: string) => /^(server|web)\/[^/]+\/index\.tsx?$/.test(target)
const side = (path: string) => path.split('/')[0]

/** Where may this import lead? Returns the law it breaks, or null. */
function brokenLaw({ from, target, typeOnly, relative }: Import): string | null {
  if (!isOurs(target)) {
    if (side(from) === 'shared' && target !== 'zod') return 'shared imports zod only'
    if (/^(ai|@ai-sdk\/.+)$/.test(target) && roomOf(from) !== 'server/ai') return 'only server/ai talks to models'
    return null
  }
  if (target.startsWith('tests/')) return 'nothing that ships imports from the tests'
  if (roomOf(from) === roomOf(target)) return relative || !isDoor(target) ? null : 'a room does not use its own door'
  if (relative && side(from) !== 'shared' && roomOf(from) !== from) return 'relative imports stay inside a room'
  if (side(target) === 'shared') return null
  if (side(from) === 'shared') return 'shared imports zod only'
  if (side(from) === 'web' && side(target) === 'server') {
    return typeOnly && COMPOSERS.has(target) ? null : 'web takes nothing but the type of server/app.ts from server'
  }
  if (side(from) === 'server' && side(target) === 'web') return 'server takes nothing from web'
  if (roomOf(from) === 'web/ui') return 'web/ui imports nothing of ours'
  if (OPEN.has(roomOf(from)) && !OPEN.has(roomOf(target))) {
    return typeOnly ? null : `${roomOf(from)} is below the rooms and imports none`
  }
  if (OPEN.has(roomOf(target)) || isDoor(target) || roomOf(target) === target) return null
  if (COMPOSERS.has(from) && COMPOSED.test(target)) return null
  if (from === 'web/main.tsx') return null
  return 'another room is entered by its door, index.ts'
}

/** Every import that breaks a law, as `file -> target: law`. Tests stand outside the rooms and may look anywhere. */
export function brokenImports(files: SourceFile[]): string[] {
  return files
    .filter((file) => !isTest(file.path))
    .flatMap(importsOf)
    .flatMap((one) => {
      const law = brokenLaw(one)
      return law === null ? [] : [`${one.from} -> ${one.target}: ${law}`]
    })
}

/** A circle of rooms that import each other's doors, as `a -> b -> a`, or null. Types vanish and cannot tie a knot. */
export function circleOfDoors(files: SourceFile[]): string | null {
  const links = new Map<string, Set<string>>()
  for (const one of files.filter((file) => !isTest(file.path)).flatMap(importsOf)) {
    const [from, to] = [roomOf(one.from), roomOf(one.target)]
    if (one.typeOnly || !isDoor(one.target) || from === to) continue
    links.set(from, (links.get(from) ?? new Set()).add(to))
  }
  const done = new Set<string>()
  const walk = (room: string, path: string[]): string | null => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room].join(' -> ')
    if (done.has(room)) return null
    for (const next of links.get(room) ?? []) {
      const circle = walk(next, [...path, room])
      if (circle !== null) return circle
    }
    done.add(room)
    return null
  }
  for (const room of links.keys()) {
    const circle = walk(room, [])
    if (circle !== null) return circle
  }
  return null
}
