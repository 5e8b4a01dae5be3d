import CSL, { type Citation, type CiteItem, type CslNode } from 'citeproc'
import type { Reference } from '#shared/contract/references.ts'
import { listLocales, listPackageStyles, loadLocale, loadStyle } from './package-data.ts'
import { safeHtml } from './safe-html.ts'

/** A reference with its id. */
export type Item = Reference & { id: string }

export interface CiteTask {
  kind: 'cite'
  items: Item[]
  /** An id of the package. */
  style: string | { xml: string }
  /** Replaces the language of the style. */
  locale?: string | undefined
  output: 'text' | 'html'
  /** Separate citations, or citations of one document in their order, with notes. Default: one citation of all items. */
  citations?: CiteItem[][] | Citation[]
}
export interface CiteResult {
  intext: string[]
  bibliography: string[]
}
/** A task of the worker. */
export type CitationTask = CiteTask | { kind: 'list' }

/** The message is for users. */
export class CannotCite extends Error {}

/** A compiled style takes about 200 ms of processor time and a few MB. */
const MAX_ENGINES = 20

interface CachedEngine {
  engine: InstanceType<typeof CSL.Engine>
  items: Map<string, Item>
}
/** The last used engine is last. */
const engines = new Map<string, CachedEngine>()
const locales = new Map<string, CslNode>()

function localeOf(tag: string): CslNode {
  const locale = locales.get(tag) ?? loadLocale(tag)
  locales.set(tag, locale)
  return locale
}

/** Returns the engine of a style in a language, without items. Throws CannotCite. */
function takeEngine(style: CiteTask['style'], locale: string | undefined): CachedEngine {
  const key = `${locale ?? ''} ${typeof style === 'string' ? style : style.xml}`
  const cached = engines.get(key) ?? createEngine(style, locale)
  engines.delete(key)
  engines.set(key, cached)
  for (const oldest of engines.keys()) {
    if (engines.size <= MAX_ENGINES) break
    engines.delete(oldest)
  }
  return cached
}

function createEngine(style: CiteTask['style'], locale: string | undefined): CachedEngine {
  if (locale !== undefined && !listLocales().includes(locale))
    throw new CannotCite(`Lectern has no citations in the language '${locale}'.`)
  const tree = typeof style === 'string' ? packageStyle(style) : style.xml
  const items = new Map<string, Item>()
  // The processor changes the items that it receives.
  const retrieveItem = (id: string) => structuredClone(items.get(id))!
  const engine = new CSL.Engine(
    { retrieveLocale: localeOf, retrieveItem },
    tree,
    locale ?? 'en-US',
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
export function cite({ items, style, locale, output, citations }: CiteTask): CiteResult {
  const { engine, items: known } = takeEngine(style, locale)
  try {
    known.clear()
    for (const item of items) known.set(item.id, item)
    engine.setOutputFormat(output)
    engine.updateItems([...known.keys()])
    const safe = output === 'html' ? safeHtml : (text: string) => text
    const intext = citeAll(engine, citations ?? [[...known.keys()].map((id) => ({ id }))], output)
    const [, entries] = engine.makeBibliography() || [{}, []]
    return {
      intext: intext.map((text) => safe(text)),
      bibliography: entries.map((entry) => safe(entry).trim()),
    }
  } catch (error) {
    for (const [key, { engine: failed }] of engines) if (failed === engine) engines.delete(key)
    throw error
  } finally {
    // Later items with the same ids are other items.
    engine.updateItems([])
    known.clear()
  }
}

function citeAll(engine: CachedEngine['engine'], citations: CiteItem[][] | Citation[], output: 'text' | 'html') {
  const isDocument = (all: CiteItem[][] | Citation[]): all is Citation[] => !Array.isArray(all[0])
  return isDocument(citations)
    ? engine.rebuildProcessorState(citations, output).map(([, , text]) => text)
    : citations.map((one) => engine.makeCitationCluster(one))
}

/** Returns the styles of the package and the languages. */
export const listAll = () => ({ styles: listPackageStyles(), locales: listLocales() })
