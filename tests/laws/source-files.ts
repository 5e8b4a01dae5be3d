import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** One file of ours: its path from the repository's root with forward slashes, and its text. */
export interface SourceFile {
  path: string
  text: string
}

/** One import or re-export of a file. `target` is the path it leads to (`server/x/index.ts`) or a package's name. */
export interface Import {
  from: string
  target: string
  typeOnly: boolean
  /** It was written `./` or `../`. */
  relative: boolean
}

/** The TypeScript of the given folders; generated files are nobody's to write well and are left out. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith('.gen.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') })),
  )
}

export const isTest = (path: string) => /\.test\.(tsx?|mjs)$/.test(path)

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[\w$*{}\s,]+?\sfrom\s+)?['"]([^'"\n]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g

/** What a file imports, in the three ways of writing it. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const found = [...text.matchAll(STATIC)].map(([, type, name]) => ({ name: name ?? '', typeOnly: type !== undefined }))
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, name]) => ({ name: name ?? '', typeOnly: false }))
  return [...found, ...dynamic].map(({ name, typeOnly }) => ({
    from: path,
    target: resolve(path, name),
    typeOnly,
    relative: name.startsWith('.'),
  }))
}

function resolve(from: string, name: string): string {
  const bare = name.replace(/\?.*$/, '')
  if (bare.startsWith('.')) return posix.join(posix.dirname(from), bare)
  return bare.startsWith('#') ? bare.slice(1) : bare
}

/** The room of a path, `server/chat` for `server/chat/service.ts`; files at the top of a side stand alone. */
export function roomOf(path: string): string {
  const [side = '', room = '', ...rest] = path.split('/')
  return rest.length === 0 ? path : `${side}/${room}`
}
