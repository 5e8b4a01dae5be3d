import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { DEFAULT_STYLE, FIRST_STYLES } from '#shared/contract/citation-styles.ts'
import {
  type CitationInput,
  type CitationPreviewInput,
  type Citations,
  type CitationStyles,
} from '#shared/contract/citations.ts'
import { citedReference } from '#shared/references/cited-reference.ts'
import type { CiteResult, CiteTask } from './cite.ts'
import { format, listStyles, prepareCitations } from './format.ts'
import { type CitedRow, findCitedRows, findOwnStyle, listOwnStyles } from './queries.ts'

/** Throws 'not_found' if citations are switched off (CITATIONS), with the message for an address that does not exist. */
export function requireCitations(): void {
  if (!env.CITATIONS) throw new AppError('not_found', 'There is nothing at this address.')
}

/**
 * Returns all styles and languages. Also starts the citation worker, because a page requests the styles before its first
 * citation.
 */
export async function getStyles(actor: Actor): Promise<CitationStyles> {
  requireCitations()
  prepareCitations()
  return readStyles(actor)
}

/** Returns the usual styles, then the styles that admins added, then all other styles. */
async function readStyles(actor: Actor): Promise<CitationStyles> {
  const { styles, locales } = await listStyles()
  const own = await asActor(actor, listOwnStyles)
  const usual = styles.filter(({ id }) => (FIRST_STYLES as readonly string[]).includes(id))
  const data = [...usual, ...own, ...styles.slice(usual.length)]
  return { data, count: data.length, locales }
}

/**
 * Throws 'refused' for a style or a language that does not exist. Called before they become the defaults of a project. Does
 * nothing if citations are switched off.
 */
export async function refuseUnknownStyle(
  actor: Actor,
  wanted: { citation_style?: string | null | undefined; citation_language?: string | null | undefined },
): Promise<void> {
  const { citation_style: style, citation_language: language } = wanted
  if (!env.CITATIONS || (!style && !language)) return
  const { data, locales } = await readStyles(actor)
  const refuse = (field: string, message: string) => new AppError('refused', message, { fields: { [field]: message } })
  if (style && !data.some(({ id }) => id === style)) throw refuse('citation_style', noStyle(style))
  if (language && !locales.includes(language))
    throw refuse('citation_language', `The server has no citations in the language '${language}'.`)
}

const noStyle = (id: string) => `The server has no citation style '${id}'.`

/**
 * Returns the title of a style; null for an unknown id, for example of a style that an admin deleted.
 */
export async function titleOfStyle(actor: Actor, id: string): Promise<string | null> {
  const title = isOwn(id)
    ? (await asActor(actor, (tx) => findOwnStyle(tx, id)))?.title
    : (await listStyles()).styles.find((style) => style.id === id)?.title
  return title ?? null
}

/** A style, and the language that replaces its own language, as `format` accepts them. */
type ChosenStyle = Pick<CiteTask, 'style' | 'locale'>

/**
 * Returns a style that an admin added; undefined for an unknown id. For a dependent style, returns the parent style with the
 * language of the dependent style.
 */
async function ownStyle(actor: Actor, id: string): Promise<ChosenStyle | undefined> {
  const row = await asActor(actor, (tx) => findOwnStyle(tx, id))
  if (!row) return undefined
  if (row.parent === null) return { style: { xml: row.xml } }
  const parent = isOwn(row.parent) ? await ownStyle(actor, row.parent) : { style: row.parent }
  return parent && { ...parent, ...(row.locale ? { locale: row.locale } : {}) }
}

/**
 * Returns true for the id of a style that an admin added. Such an id is a URL; the id of a style of the package has no colon.
 */
const isOwn = (id: string) => id.includes(':')

/**
 * Returns the wanted style and its id, else the default of the project, else DEFAULT_STYLE. If no admin's style has the id (a
 * URL), throws 'refused' for `wanted` and ignores a default. An unknown id of the package is refused later, by `format`.
 */
async function chosenStyle(
  actor: Actor,
  wanted: string | undefined,
  ofProject: string | null,
): Promise<{ id: string; chosen: ChosenStyle }> {
  const id = wanted ?? ofProject ?? DEFAULT_STYLE
  const found = isOwn(id) ? await ownStyle(actor, id) : { style: id }
  if (found) return { id, chosen: found }
  if (wanted !== undefined) throw new AppError('refused', noStyle(id))
  return { id: DEFAULT_STYLE, chosen: { style: DEFAULT_STYLE } }
}

/**
 * Cites documents in the given order. Without a style, uses the default of their project. Throws 'not_found' if the caller
 * cannot read one of the documents, and 'refused' for an unknown style or language.
 */
export async function citeDocuments(actor: Actor, input: CitationInput): Promise<Citations> {
  const { intext, bibliography } = await formatDocuments(actor, input)
  return { intext: intext[0] ?? '', bibliography }
}

/**
 * Writes a separate citation of each document, and one bibliography. `intext` has the order of `ids`. Throws 'not_found' if the
 * caller cannot read one of the documents, and 'refused' for an unknown style or language.
 */
export const citeEach = (actor: Actor, input: CitationInput): Promise<CiteResult> =>
  formatDocuments(actor, input, { clusters: (ids) => ids.map((id) => [{ id }]) })

/**
 * Returns the entry of a document in a bibliography, as HTML and as text, without the number of a numeric style, and the id of
 * the style. The entries are '' if the style has no bibliography. Throws 'not_found' if the caller cannot read the document,
 * and 'refused' for a style that fails.
 */
export async function citeUnnumbered(
  actor: Actor,
  id: string,
): Promise<{ html: string; text: string; styleId: string }> {
  const formatted = (output: 'text' | 'html') => formatDocuments(actor, { ids: [id], output }, { withoutNumbers: true })
  const html = await formatted('html')
  const { bibliography, styleId } = await formatted('text')
  return { html: html.bibliography[0] ?? '', text: bibliography[0] ?? '', styleId }
}

interface FormatOptions {
  /** Returns the documents of each citation. Without it, there is one citation of all documents. */
  clusters?: (ids: readonly string[]) => { id: string }[][]
  withoutNumbers?: boolean
}

/** Formats the citations and the bibliography of documents. `styleId` is the id of the style. */
async function formatDocuments(
  actor: Actor,
  { ids, style, ...wanted }: CitationInput,
  { clusters, withoutNumbers }: FormatOptions = {},
): Promise<CiteResult & { styleId: string }> {
  requireCitations()
  const rows = new Map((await asActor(actor, (tx) => findCitedRows(tx, ids))).map((row) => [row.id, row]))
  const cited = [...new Set(ids)].map((id) => {
    const row = rows.get(id)
    if (!row) throw notFound('Document')
    return row
  })
  const ofProject = defaultsOf(cited)
  const { id: styleId, chosen } = await chosenStyle(actor, style, ofProject.style)
  const result = await format({
    ...chosen,
    language: ofProject.language ?? undefined,
    output: wanted.output,
    ...(wanted.locale === undefined ? {} : { locale: wanted.locale }),
    items: cited.map(citedReference),
    ...(withoutNumbers ? { withoutNumbers } : {}),
    ...(clusters ? { citations: clusters(cited.map(({ id }) => id)) } : {}),
  })
  return { ...result, styleId }
}

/** Cites a reference that is not stored. Throws 'refused' for an unknown style. */
export async function citeReference(actor: Actor, input: CitationPreviewInput): Promise<Citations> {
  requireCitations()
  const { chosen } = await chosenStyle(actor, input.style, null)
  const items = [{ ...input.reference, id: 'preview' }]
  const { intext, bibliography } = await format({ ...chosen, language: input.language, output: 'html', items })
  return { intext: intext[0] ?? '', bibliography }
}

/**
 * Returns the default style and language of the project of the documents; both are null if the documents are in several
 * projects.
 */
function defaultsOf([first, ...others]: readonly CitedRow[]): Pick<CitedRow, 'style' | 'language'> {
  const isOne = first !== undefined && others.every(({ project_id }) => project_id === first.project_id)
  return isOne ? first : { style: null, language: null }
}
