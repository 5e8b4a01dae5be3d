import type { Paragraph } from './paragraphs.ts'
import { readHeading, type SectionRole } from '#server/language/section-headings.ts'
import { readSentences } from './sentences.ts'

/** A paragraph with the purpose of its section; `label` is its heading inside a structured abstract. */
export interface PlacedParagraph extends Paragraph {
  role: SectionRole
  label: string | null
}

/** Matches the beginning of a paragraph that is near an abstract but not part of it, such as 'Received' or 'How to cite'. */
const FRONT_MATTER =
  /^(?:ccs concepts|categories and subject|general terms|acm reference|permission to make|citation\b|how to cite|funding\b|received\b|submitted\b|accepted\b|published\b|editor|academic editor|correspond|communicated by|this article belongs|copyright|©|subjects?\b|jel |doi\b|https?:|e-?mail|additional information|distributed under|licen[sc]e\b|open access|extended author|\*|[¹*†‡])/iu
export const RUN_IN_ABSTRACT =
  /^(?:(?:Abstract|ABSTRACT|Zusammenfassung|ZUSAMMENFASSUNG|Résumé|RÉSUMÉ|Resumen|RESUMEN|Resumo|RESUMO|Riassunto|RIASSUNTO|Samenvatting)\s*[:.—–-]?|(?:Summary|SUMMARY)\s*[:.—–-])\s*(?=[“"‘'(]?[\p{Lu}\d])/u
const RUN_IN_KEYWORDS =
  /^(?:key ?words(?: and phrases)?|index terms|schlüsselwörter|mots[- ]clés|palabras clave|palavras[- ]chave|parole chiave|trefwoorden)\b/iu
const LABELS =
  'background|context|introduction|rationale|motivation|objective|objectives|aim|aims|purpose|goal|goals|hypothesis|design|study design|setting|participants|patients|intervention|interventions|method|methods|methodology|materials and methods|patients and methods|approach|methodology/principal findings|main outcome measure|main outcome measures|main outcomes|measurements|result|results|findings|principal findings|main results|conclusion|conclusions|conclusions/significance|interpretation|discussion|significance|implications|recommendation|recommendations|limitations|zielsetzung|ziel|hintergrund|methodik|ergebnisse|schlussfolgerung|schlussfolgerungen|objectif|objectifs|contexte|méthodes|résultats|objetivo|objetivos|métodos|resultados|conclusiones|conclusões'
const inCases = LABELS.split('|').flatMap((label) => [
  label[0]!.toUpperCase() + label.slice(1),
  label.replace(/(?<=^|[ /])\p{Ll}/gu, (letter) => letter.toUpperCase()),
  label.toUpperCase(),
])
/** Matches the label that opens a part of a structured abstract: 'Methods: We …', 'RESULTS We …'; not 'Participants were …'. */
export const ABSTRACT_LABEL = new RegExp(
  `^(${[...new Set(inCases)].join('|')})(?:\\s*[:.—–]\\s*|\\s+)(?=[“"‘'(]?[\\p{Lu}\\d])`,
  'u',
)
/** An abstract without a detectable end is cut after this many characters. */
const LONGEST_ABSTRACT = 4500

/**
 * Assigns each paragraph the purpose of its section, by headings (numbered or not, in several languages), and omits the
 * headings. The references and all later text get the role 'references'. In a paper without headings, the first long paragraph
 * of the first two pages is the abstract, and the other running text is 'body'.
 */
export function placeParagraphs(paragraphs: readonly Paragraph[]): PlacedParagraph[] {
  const all = paragraphs.flatMap(splitRunIn)
  const abstractEnd = endOfAbstract(all)
  const referencesAt = startOfReferences(all)
  const placed: PlacedParagraph[] = []
  let role: SectionRole = 'front'
  let topRole: SectionRole = 'body'
  let label: string | null = null
  let abstractLength = 0
  let hasAbstract = false
  for (const [index, paragraph] of all.entries()) {
    if (index === referencesAt) role = 'references'
    if (index >= referencesAt) {
      placed.push({ ...paragraph, role: 'references', label: null })
      continue
    }
    let heading = readHeading(paragraph.text)
    if (heading?.role === 'references') heading = null
    // 'Summary' is the conclusion of a paper with an abstract, and the abstract of any other paper.
    if (heading && /^summary$/i.test(paragraph.text) && role === 'front' && !hasAbstract)
      heading = { role: 'abstract', depth: 0 }
    if (
      heading &&
      role === 'abstract' &&
      heading.depth === 0 &&
      index < abstractEnd &&
      ABSTRACT_LABEL.test(`${paragraph.text} X`)
    ) {
      label = paragraph.text
      continue
    }
    if (heading) {
      if (heading.depth <= 1) topRole = heading.role ?? 'body'
      role = heading.role ?? (heading.depth > 1 ? topRole : 'body')
      label = null
      if (role === 'abstract') hasAbstract = true
      continue
    }
    if (role === 'abstract' && (FRONT_MATTER.test(paragraph.text) || abstractLength > LONGEST_ABSTRACT)) role = 'front'
    else if (role === 'front' && hasAbstract && index < abstractEnd && ABSTRACT_LABEL.test(paragraph.text))
      role = 'abstract'
    if (RUN_IN_KEYWORDS.test(paragraph.text) && paragraph.text.length < 900) {
      placed.push({ ...paragraph, role: 'keywords', label: null })
      if (role === 'abstract') role = 'front'
      continue
    }
    if (role === 'keywords' && readSentences(paragraph).length > 1) role = 'front'
    if (role === 'abstract') abstractLength += paragraph.text.length
    placed.push({ ...paragraph, role, label: role === 'abstract' ? label : null })
  }
  return withoutHeadings(placed, hasAbstract)
}

/** Separates the heading of an abstract that is in the same line as its text: 'Abstract Context As a …'. */
function splitRunIn(paragraph: Paragraph): Paragraph[] {
  const found = RUN_IN_ABSTRACT.exec(paragraph.text)
  if (!found || paragraph.text.length < 60) return [paragraph]
  return [
    { text: 'Abstract', page: paragraph.page },
    { text: paragraph.text.slice(found[0].length), page: paragraph.page },
  ]
}

/**
 * Returns the index of the first paragraph of the keywords or the introduction; 0 if there is none. Headings before this
 * paragraph belong to the abstract.
 */
function endOfAbstract(all: readonly Paragraph[]): number {
  const at = all.findIndex((one) => {
    const role = readHeading(one.text)?.role
    const isMainBackground = /^background$/i.test(one.text)
    return role === 'keywords' || RUN_IN_KEYWORDS.test(one.text) || (role === 'introduction' && !isMainBackground)
  })
  return at < 0 ? 0 : at
}

/** Returns the index of the last heading 'References'; Infinity if there is none after the first quarter of the paragraphs. */
function startOfReferences(all: readonly Paragraph[]): number {
  const at = all.findLastIndex((one) => one.text.length < 40 && readHeading(one.text)?.role === 'references')
  return at > all.length * 0.25 ? at : Infinity
}

/**
 * Changes the role 'front' of paragraphs of running text, except before an abstract. If the paper has no abstract, the first
 * paragraph of three or more sentences on pages 1 and 2 becomes the abstract. All others become 'body'.
 */
function withoutHeadings(placed: PlacedParagraph[], hasAbstract: boolean): PlacedParagraph[] {
  let seenAbstract = hasAbstract
  let isPastAbstract = !hasAbstract
  // In a paper with headings, a paragraph of one sentence is a notice. In a paper without headings, it is text.
  const fewest = placed.some((one) => one.role !== 'front') ? 2 : 1
  return placed.map((paragraph) => {
    if (paragraph.role === 'abstract') isPastAbstract = true
    if (paragraph.role !== 'front' || !isPastAbstract || FRONT_MATTER.test(paragraph.text)) return paragraph
    const count = readSentences(paragraph).length
    if (count < fewest) return paragraph
    if (!seenAbstract && count >= 3 && paragraph.page <= 2) {
      seenAbstract = true
      return { ...paragraph, role: 'abstract' as const }
    }
    return { ...paragraph, role: 'body' as const }
  })
}
