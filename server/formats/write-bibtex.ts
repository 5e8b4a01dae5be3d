import { Transform } from 'unicode2latex'
import type { CslName, Reference } from '#shared/contract/references.ts'
import { isoDate } from '#shared/references/dates.ts'
import { familyText } from '#shared/references/names.ts'
import { BIBTEX_NAMES, BIBTEX_TEXT } from './bibtex-fields.ts'
import {
  dateColumns,
  isPlainDate,
  keywordList,
  keywordsAndTags,
  notesOf,
  textValues,
  type ExportItem,
  type WriteOptions,
} from './export-item.ts'
import { bibtexType, biblatexType, readType } from './reference-types.ts'

/** A field to write. A `verbatim` value is not escaped. */
type Field = [name: string, value: string | undefined, verbatim?: boolean]

const ESCAPED: Record<string, string> = {
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '\\': '\\textbackslash{}',
  '<': '{\\textless}',
  '>': '{\\textgreater}',
}
const MARKUP: Record<string, string> = {
  i: '\\textit{',
  b: '\\textbf{',
  sub: '\\textsubscript{',
  sup: '\\textsuperscript{',
  'span class="nocase"': '{',
  'span style="font-variant:small-caps;"': '\\textsc{',
}
const TAG = /<(\/?)(i|b|sub|sup|span(?: class="nocase"| style="font-variant: ?small-caps;")?)>/g

const BIBLATEX: Record<string, string> = {
  journal: 'journaltitle',
  address: 'location',
  school: 'institution',
}

/** Writes references as BibTeX. Yields the text of one entry at a time. */
export const writeBibtex = (items: Iterable<ExportItem>, options: WriteOptions = {}) => write(items, options, false)

/**
 * Writes references as BibLaTeX, which has other names than BibTeX for dates, places and types. Yields the text of one entry at
 * a time.
 */
export const writeBiblatex = (items: Iterable<ExportItem>, options: WriteOptions = {}) => write(items, options, true)

function* write(items: Iterable<ExportItem>, { asLatex }: WriteOptions, isBiblatex: boolean): Generator<string> {
  const toLatex = asLatex ? new Transform(isBiblatex ? 'biblatex' : 'bibtex') : undefined
  const encode = (text: string) => (toLatex ? latexOf(text, toLatex) : text)
  for (const item of items) {
    const { reference } = item
    const type = isBiblatex ? biblatexType(reference.type) : (masters(reference) ?? bibtexType(reference.type))
    const lines = fieldsOf(item, isBiblatex).flatMap(([name, value, verbatim]) => {
      if (!value) return []
      const text = verbatim
        ? balanced(value)
        : encode(name === 'pages' ? escape(value) : withoutLigatures(escape(value)))
      return [`  ${(isBiblatex && BIBLATEX[name]) || name} = {${text}},\n`]
    })
    const names = BIBTEX_NAMES.flatMap(([field, name]) => {
      const all = (reference[field] ?? []).map((one) => encode(bibtexName(one)))
      return all.length > 0 ? [`  ${name} = {${all.join(' and ')}},\n`] : []
    })
    yield `@${type}{${bibtexKey(reference)},\n${[...names, ...lines].join('')}}\n\n`
  }
}

/**
 * LaTeX commands for quotation marks. The package unicode2latex would replace quotation marks by ASCII characters that have
 * another meaning in LaTeX.
 */
const PUNCTUATION: Record<string, string> = {
  '\u2018': '{\\textquoteleft}',
  '\u2019': '{\\textquoteright}',
  '\u201C': '{\\textquotedblleft}',
  '\u201D': '{\\textquotedblright}',
}

/** Replaces characters outside ASCII by LaTeX commands. ASCII characters stay unchanged, because they can be commands. */
const latexOf = (text: string, toLatex: Transform) =>
  text.normalize('NFC').replaceAll(/[^\0-\x7F]/gu, (char) => {
    const latex = PUNCTUATION[char] ?? toLatex.tolatex(char)
    return latex.startsWith('\\') ? `{${latex}}` : latex
  })

const masters = ({ type, genre = '' }: Reference) =>
  type === 'thesis' && /master/i.test(genre) ? 'mastersthesis' : null

/** Returns the citation key without characters that BibTeX does not allow in a key. */
const bibtexKey = (item: Reference) => (item['citation-key'] ?? item.id ?? '').replaceAll(/[\s,{}()"'#%~\\=]/g, '')

function escape(text: string): string {
  let written = ''
  let at = 0
  for (const found of text.matchAll(TAG)) {
    const [tag, closing, name = ''] = found
    const opening = MARKUP[name.replace(': ', ':')]
    written += plain(text.slice(at, found.index)) + (closing ? '}' : (opening ?? '{'))
    at = found.index + tag.length
  }
  const all = written + plain(text.slice(at))
  // Markup that is not balanced is text.
  return isBalanced(all) ? all : plain(text)
}

const plain = (text: string) => text.replaceAll(/[&%$#_{}~^\\<>]/g, (char) => ESCAPED[char]!)

/** Inserts {} between characters that TeX would join to a dash or a quotation mark. */
const withoutLigatures = (text: string) => text.replaceAll(/-(?=-)|`(?=`)|'(?=')/g, '$&{}')

function isBalanced(text: string): boolean {
  let depth = 0
  for (const [brace] of text.matchAll(/\\[{}\\]|[{}]/g)) {
    if (brace.length === 1) depth += brace === '{' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

/**
 * Percent-encodes the backslashes of a verbatim value, and its braces if they are unbalanced. A backslash would begin a LaTeX
 * command, such as a command that reads a file.
 */
function balanced(value: string): string {
  const text = value.replaceAll('\\', '%5C')
  return isBalanced(text) ? text : text.replaceAll('{', '%7B').replaceAll('}', '%7D')
}

/** Returns a name as 'von Family, Suffix, Given'. A literal name is written in braces. */
function bibtexName(name: CslName): string {
  if (name.literal !== undefined) return `{${plain(name.literal)}}`
  const given = [name.given, name['dropping-particle']].filter(Boolean).join(' ')
  const family = plain(familyText(name))
  const isWhole = !given && !name.suffix && !name['non-dropping-particle'] && family.includes(' ')
  const parts = [isWhole ? `{${family}}` : family, plain(name.suffix ?? ''), plain(given)].filter(Boolean)
  return parts.map((part) => (/\band\b|,/.test(part) && !part.startsWith('{') ? `{${part}}` : part)).join(', ')
}

function fieldsOf(item: ExportItem, isBiblatex: boolean): Field[] {
  const { reference } = item
  // A review is written as an article, so it also has the fields of an article.
  const isArticle = readType('bibtex', bibtexType(reference.type))!.startsWith('article')
  const kind = /^article-(magazine|newspaper)$/.exec(reference.type)?.[1]
  const pages = reference.page?.replaceAll(/(?<=\w)-(?=\w)/g, '--')
  const arxiv = reference.archive_location && reference.archive
  return [
    ['title', reference.title],
    [isArticle ? 'journal' : 'booktitle', reference['container-title']],
    ['entrysubtype', kind],
    ...issuedFields(reference, isBiblatex),
    ...textValues(reference, BIBTEX_TEXT).filter(([name]) => name !== 'publisher'),
    [publisherField(reference), reference.publisher],
    ...numberFields(reference, isArticle),
    ['pages', pages],
    ['doi', reference.DOI, true],
    ['url', reference.URL, true],
    ['urldate', reference.accessed && isoDate(reference.accessed)],
    ['eventdate', reference['event-date'] && isoDate(reference['event-date'])],
    [isBiblatex ? 'eprinttype' : 'archiveprefix', arxiv || undefined],
    ['eprint', reference.archive_location, true],
    ['keywords', commas(keywordsAndTags(item))],
    ['note', notesOf(item).join('\n')],
    ['file', item.file, true],
  ]
}

/**
 * Returns the issue and the number of a reference. `number` of an article is its issue in BibTeX. Its article number is in
 * `eid`, which BibLaTeX prints instead of pages, and in `articleno`, which ACM styles print and a reader does not mistake for a
 * page.
 */
const numberFields = ({ issue, number, page }: Reference, isArticle: boolean): Field[] =>
  isArticle
    ? [
        ['number', issue],
        ['articleno', number],
        ['eid', page ? undefined : number],
      ]
    : [
        ['number', number],
        ['issue', issue],
      ]

/** Joins keywords with commas, or with semicolons if one of them contains a comma. */
const commas = (words: readonly string[]) =>
  words.some((word) => word.includes(',')) ? keywordList(words) : words.join(', ')

function publisherField({ type }: Reference): string {
  if (type === 'thesis') return 'school'
  return type === 'report' ? 'institution' : 'publisher'
}

function issuedFields({ issued }: Reference, isBiblatex: boolean): Field[] {
  if (!issued) return []
  if (issued['date-parts'] && (isBiblatex || !isPlainDate(issued))) return [['date', isoDate(issued)]]
  if (!issued['date-parts']) return [['year', isoDate(issued)]]
  const [year, month, day] = dateColumns(issued)
  return [
    ['year', year],
    ['month', month && String(Number(month))],
    ['day', day && String(Number(day))],
  ]
}
