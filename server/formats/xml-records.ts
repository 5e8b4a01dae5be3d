import { XMLParser } from 'fast-xml-parser'
import { RecordError, type RawRecord } from './read-record.ts'

/** A node of a record: an element with its attributes and children in the order of the file, or a text. */
export type XmlNode = { name: string; attributes: Record<string, string>; children: XmlNode[] } | string
export type XmlElement = Exclude<XmlNode, string>

const ATTRIBUTES = ':@'
const TEXT = '#text'
/** Maximum length of a record in characters. A longer record cannot be bibliographic data. */
const MAX_RECORD = 4 * 1024 * 1024

/**
 * Parser for the text of one record, without the prologue of the file and its document type definition. It does not process
 * entities. `trimValues` is off, because it would join the words of neighboring elements.
 */
const parser = new XMLParser({
  preserveOrder: true,
  trimValues: false,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  maxNestedTags: 60,
})

/** One record of an XML file. `hasEnd` is false for a record without its closing tag. */
export interface XmlRecord extends RawRecord {
  hasEnd: boolean
}

/**
 * Yields the text of every element with one of the names. Reads each character only once, so that the time is not quadratic for
 * nested elements.
 */
export function* xmlRecords(text: string, names: readonly string[]): Generator<XmlRecord> {
  const start = new RegExp(`<(${names.join('|')})(?=[\\s>/])`, 'g')
  let line = 1
  let newline = text.indexOf('\n')
  for (let found = start.exec(text); found;) {
    const from = found.index
    for (; newline !== -1 && newline < from; newline = text.indexOf('\n', newline + 1)) line++
    const name = found[1]!
    const next = start.exec(text)
    const limit = next?.index ?? text.length
    const closing = `</${name}>`
    // The closing tag is searched only up to the next record.
    const own = text.slice(from, limit)
    const end = own.indexOf(closing)
    yield { line, raw: end === -1 ? own : own.slice(0, end + closing.length), hasEnd: end !== -1 }
    found = next
  }
}

/**
 * Parses one record. Throws a RecordError for a record that has no end, is too large, is not XML, or contains a document type
 * definition.
 */
export function parseXml({ raw, line, hasEnd }: XmlRecord): XmlElement {
  if (!hasEnd) throw new RecordError(line, 'the record has no end')
  if (raw.length > MAX_RECORD) throw new RecordError(line, 'the record is larger than 4 MB')
  if (raw.includes('<!')) {
    if (/<!(?:DOCTYPE|ENTITY)/i.test(raw)) throw new RecordError(line, 'the record contains a document type definition')
  }
  const [root] = toNodes(parser.parse(raw) as unknown[])
  if (!root || typeof root === 'string') throw new RecordError(line, 'the record is not XML')
  return root
}

function toNodes(parsed: readonly unknown[]): XmlNode[] {
  return parsed.map((one) => {
    const node = one as Record<string, unknown>
    if (TEXT in node) return decodeEntities(String(node[TEXT]))
    const name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? ''
    const attributes = (node[ATTRIBUTES] ?? {}) as Record<string, string>
    return { name, attributes, children: toNodes((node[name] ?? []) as unknown[]) }
  })
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Replaces `&nbsp;` and the predefined entities and character references of XML. Other entities stay unchanged. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (entity, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(String(hex), 16) : 0
    if (code) return code > 0x10ffff ? entity : String.fromCodePoint(code).replace('\r', '\n')
    return ENTITIES[String(name)] ?? entity
  })
}

/** Returns the direct children of an element that are elements with this name. */
export const elementsOf = ({ children }: XmlElement, name: string) =>
  children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name)

/**
 * Returns all descendants of an element at a path: `at(record, 'a', 'b')` returns the elements b in the elements a of the
 * record.
 */
export const at = (element: XmlElement | undefined, ...path: string[]): XmlElement[] =>
  element === undefined
    ? []
    : path.reduce<XmlElement[]>((elements, name) => elements.flatMap((one) => elementsOf(one, name)), [element])

/** Returns the text of an element and of its descendants, in the order of the file, with all white space. */
export const textOf = (node: XmlNode | undefined): string =>
  node === undefined ? '' : typeof node === 'string' ? node : node.children.map(textOf).join('')

/** Returns the texts of the elements at a path (see `at`), without texts that consist of white space. */
export const textsAt = (element: XmlElement | undefined, ...path: string[]) =>
  at(element, ...path)
    .map(textOf)
    .filter((text) => text.trim() !== '')

const MARKUP: Record<string, string> = { i: 'i', b: 'b', u: 'i', sup: 'sup', sub: 'sub' }

/** Returns the text of a title with the markup of CSL for italic, bold, superscript and subscript text. */
export const richTextOf = (node: XmlNode | undefined): string => {
  if (node === undefined || typeof node === 'string') return node ?? ''
  const text = node.children.map(richTextOf).join('')
  const tag = MARKUP[node.name] ?? faceOf(node)
  return tag && text.trim() ? `<${tag}>${text}</${tag}>` : text
}

/**
 * Returns the CSL tag ('i', 'b', 'sup' or 'sub') for a `<style face="…">` of EndNote; undefined for other elements and faces.
 */
function faceOf({ name, attributes }: XmlElement): string | undefined {
  if (name !== 'style') return undefined
  const face = attributes['face'] ?? ''
  if (face.includes('italic')) return 'i'
  if (face.includes('superscript')) return 'sup'
  return face.includes('subscript') ? 'sub' : face.includes('bold') ? 'b' : undefined
}
