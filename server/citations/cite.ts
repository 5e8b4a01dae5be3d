import CSL, { type Citation, type CiteItem, type CslNode } from 'citeproc'
import type { Reference } from '#shared/contract/references.ts'
import { CannotCite } from './cannot-cite.ts'
import { indexMacros } from './find-macros.ts'
import { hasLocale, listLocales, listPackageStyles, loadLocale, loadStyle } from './package-data.ts'
import { readStyle } from './read-style.ts'
import { safeHtml } from './safe-html.ts'

/** A reference with its id. */
export type Item = Reference & { id: string }

export interface CiteTask {
  kind: 'cite'
  items: Item[]
  /** An id of the package, or the text of a style. */
  style: string | { xml: string }
  /** The language of a style without a language. Default: en-US. */
  language?: string | undefined
  /** Replaces the language of the style. */
  locale?: string | undefined
  output: 'text' | 'html'
  /**
   * `CiteItem[][]`: separate citations. `Citation[]`: the citations of one document in their order, with note numbers. Default:
   * one citation of all items, in the order of the bibliography.
   */
  citations?: CiteItem[][] | Citation[]
}
export interface CiteResult {
  intext: string[]
  bibliography: string[]
}
/** A compiled style takes about 200 ms of processor time and a few MB. */
const MAX_ENGINES = 20

interface CachedEngine {
  engine: InstanceType<typeof CSL.Engine>
  items: Map<string, Item>
}
indexMacros()

/** Compiled styles. The most recently used one is last. */
const engines = new Map<string, CachedEngine>()
const locales = new Map<string, CslNode>()

function localeOf(tag: string): CslNode {
  const locale = locales.get(tag) ?? loadLocale(tag)
  locales.set(tag, locale)
  return locale
}

/** Returns the engine of a style in a language, without items. Throws CannotCite. */
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
    throw new CannotCite(`Lectern has no citations in the language '${locale}'.`)
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
  if (style === undefined) throw new CannotCite(`Lectern has no citation style '${id}'.`)
  return style
}

/** Formats citations of items and their bibliography. Throws CannotCite. */
export function cite({ items, output, citations, ...wanted }: CiteTask): CiteResult {
  const { engine, items: known } = takeEngine(wanted)
  try {
    known.clear()
    for (const item of items) known.set(item.id, item)
    engine.setOutputFormat(output)
    engine.updateItems([...known.keys()])
    const safe = output === 'html' ? safeHtml : (text: string) => text
    const intext = citeAll(engine, citations ?? [inBibliographyOrder(engine, known)], output)
    const [, entries] = engine.makeBibliography() || [{}, []]
    return {
      intext: intext.map((text) => safe(text)),
      bibliography: entries.map((entry) => safe(entry).trim()),
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

/** Returns one citation of all items in the order of the bibliography. A style with its own order of citations changes it. */
const inBibliographyOrder = (engine: CachedEngine['engine'], items: ReadonlyMap<string, Item>): CiteItem[] =>
  engine.registry.reflist.flatMap(({ id }) => (items.has(id) ? [{ id }] : []))

function citeAll(engine: CachedEngine['engine'], citations: CiteItem[][] | Citation[], output: 'text' | 'html') {
  const isDocument = (all: CiteItem[][] | Citation[]): all is Citation[] => !Array.isArray(all[0])
  return isDocument(citations)
    ? engine.rebuildProcessorState(citations, output).map(([, , text]) => text)
    : citations.map((one) => engine.makeCitationCluster(one))
}

/** Returns the styles of the package and the languages. */
export const listAll = () => ({ styles: listPackageStyles(), locales: listLocales() })
