import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A source file. `path`: relative to the root of the repository, with forward slashes. `text`: its content. */
export interface SourceFile {
  path: string
  text: string
}

/** An import or re-export in the file `from`. `target`: the resolved path (`server/x/index.ts`), or the name of a package. */
export interface Import {
  from: string
  target: string
  typeOnly: boolean
  /** Whether the specifier starts with `./` or `../`. */
  relative: boolean
}

/** Returns the TypeScript and .mjs files of the given folders, without generated files. */
export const sourceFiles = (...folders: string[]): SourceFile[] =>
  filesOf(folders, (name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith('.gen.ts'))

/** Returns the stylesheets of the web app. */
export const stylesheets = (): SourceFile[] => filesOf(['web'], (name) => name.endsWith('.css'))

/** Returns the Markdown files in the root folder and in the folders .github, deploy, docs and tests. */
export const markdownPages = (): SourceFile[] => [
  ...readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  ...filesOf(['.github', 'deploy', 'docs', 'tests'], (name) => name.endsWith('.md')),
]

function filesOf(folders: string[], isWanted: (name: string) => boolean): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && isWanted(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') })),
  )
}

export const isTest = (path: string) => /\.test\.(tsx?|mjs)$/.test(path)

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[\w$*{}\s,]+?\sfrom\s+)?['"]([^'"\n]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g

/** Returns the imports of a file: static imports, re-exports and dynamic imports. */
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

/**
 * Returns the room of a path, such as `server/chat` for `server/chat/service.ts`. A file directly in server, web or shared is
 * its own room.
 */
export function roomOf(path: string): string {
  const [side = '', room = '', ...rest] = path.split('/')
  return rest.length === 0 ? path : `${side}/${room}`
}
