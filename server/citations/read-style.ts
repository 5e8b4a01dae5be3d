import type { CslNode } from 'citeproc'
import { XMLParser } from 'fast-xml-parser'
import { CannotCite } from './cannot-cite.ts'
import { findXmlFault } from './find-xml-fault.ts'

const NAMESPACE = 'http://purl.org/net/xbiblio/csl'
const ATTRIBUTES = ':@'
const TEXT = '#text'

/** XML parser for style files. It does not process entities, so no entity can expand. */
const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 100,
})

/** The facts in a style file. `parent` is the address of the style that a dependent style refers to. */
export interface StyleFacts {
  id: string
  title: string
  locale?: string
  parent?: string
}

/**
 * Parses the text of a `.csl` file. Throws CannotCite with the reason for a text that is not a style, and for a text with a
 * document type definition or an entity declaration.
 */
export function readStyle(xml: string): CslNode {
  const text = xml.replace(/^\uFEFF/, '').trimStart()
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new CannotCite('This file contains a document type definition.')
  const fault = findXmlFault(text)
  if (fault) throw new CannotCite(`This file is not XML. ${fault}`)
  const root = parse(text)
  if (root?.name !== 'style' || root.attrs['xmlns'] !== NAMESPACE)
    throw new CannotCite('This file is not a style of the Citation Style Language.')
  return root
}

function parse(text: string): CslNode | undefined {
  try {
    return nodesOf(parser.parse(text) as unknown[]).find((node) => typeof node !== 'string')
  } catch (error) {
    throw new CannotCite(`This file is not XML. ${error instanceof Error ? error.message : ''}`.trim())
  }
}

/** Returns the elements and texts in an element. White space between elements is omitted. */
function nodesOf(parsed: readonly unknown[], parent = ''): (CslNode | string)[] {
  return parsed.flatMap((one): (CslNode | string)[] => {
    const node = one as Record<string, unknown>
    if (TEXT in node) {
      const text = decode(String(node[TEXT]))
      return text.trim() || (TERMS.has(parent) && parsed.length === 1) ? [text] : []
    }
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? ''
    const attributes = (node[ATTRIBUTES] ?? {}) as Record<string, string>
    const attrs = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, decode(value)]))
    const children = nodesOf((node[name] ?? []) as unknown[], name)
    // citeproc expects an empty text as the child of a term without text.
    return [{ name, attrs, children: children.length === 0 && TERMS.has(name) ? [''] : children }]
  })
}
const TERMS: ReadonlySet<string> = new Set(['term', 'single', 'multiple'])

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decode = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (entity, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(String(hex), 16) : 0
    if (code) return code > 0x10ffff ? entity : String.fromCodePoint(code)
    return ENTITIES[String(name)] ?? entity
  })

const elements = (node: CslNode | undefined, name: string) =>
  (node?.children ?? []).filter((child): child is CslNode => typeof child !== 'string' && child.name === name)

/** Returns the id, title, language and parent of a style. Throws CannotCite for a style without id, title or formatting. */
export function factsOf(style: CslNode): StyleFacts {
  const [info] = elements(style, 'info')
  const text = (name: string) =>
    elements(info, name)
      .flatMap(({ children }) => children.filter((child) => typeof child === 'string'))
      .join('')
      .replaceAll(/\s+/g, ' ')
      .trim()
  const [id, title] = [text('id'), text('title')]
  if (!id || id.length > 300) throw new CannotCite('This style has no id of at most 300 characters.')
  if (!title || title.length > 300) throw new CannotCite('This style has no title of at most 300 characters.')
  const parent = elements(info, 'link').find(({ attrs }) => attrs['rel'] === 'independent-parent')?.attrs['href']
  const locale = style.attrs['default-locale']
  if (!parent && elements(elements(style, 'citation')[0], 'layout').length === 0)
    throw new CannotCite('This style has no layout of citations.')
  return { id, title, ...(locale ? { locale } : {}), ...(parent ? { parent } : {}) }
}
