import type { DesignQuestion } from '#server/language/design-question.ts'
import { headingOfPassage } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { readHeading, sectionsOf, type SectionRole } from '#server/language/section-headings.ts'
import { namesDesign, STUDY_DESIGNS, type StudyDesign } from '#server/language/study-designs.ts'
import { UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'
import { withoutLabel } from './abstract-label.ts'
import { type DesignStatement, designZones, findDesign } from './evidence-level.ts'
import { bestByPaper, type PaperPassage, type PaperQuote } from './paper-passage.ts'
import { BACKGROUND, quotableSentences } from './quotable-sentences.ts'

/** Maximum number of papers in an answer. */
const MOST_PAPERS = 12
/**
 * Used to choose the sentence to quote from a paper. A sentence that names the design gets a value for the part of the paper
 * where it stands: abstract, methods, introduction (ZONES, in this order), or title (TITLE). The sentence with the highest
 * value is quoted.
 */
const ZONES = [0.4, 0.2, 0.1] as const
const TITLE = 0.05
/**
 * Added to the values of the sentences of a paper (see ZONES), so that papers with a certain design come first: STORED if the
 * paper has a stored evidence level, TITLED if its title names the design.
 */
const STORED = 0.2
const TITLED = 0.2
/** Weight of a passage's search score in the values of its sentences (see ZONES). */
const SCORE = 0.3
/**
 * A paper is about the subject if it contains a word of the subject, or a sentence with at least this cosine to the question.
 */
const ABOUT = 0.4
/** A paper is about something else if no passage has at least this share of the highest score of all passages. */
const NEAR_SUBJECT = 0.6
/** Text of these section roles is treated as text of the mapped role, so that a paper without headings can name its design. */
const ROLES: Partial<Record<SectionRole, SectionRole>> = { front: 'abstract', body: 'methods' }

/** A sentence of a paper, with the index of its passage. */
type Placed = DesignStatement & { passage: number }

/**
 * Quotes one sentence of each of up to twelve papers with a design that the question asks for: the sentence that names the
 * design, or the title. The design of a paper is read from its stored evidence level; without one, `findDesign` searches for it
 * in the passages.
 */
export function quoteDesigns(asked: DesignQuestion, passages: readonly PaperPassage[]): PaperQuote[] {
  const papers = Map.groupBy(passages.keys(), (at) => passages[at]!.document_id)
  const highest = Math.max(0, ...passages.map(({ score }) => score))
  const terms = searchTerms(asked.subject)
  const quotes = [...papers.values()].flatMap((places) => {
    const own = places.map((at) => passages[at]!)
    const isAbout = terms.length === 0 || isAboutSubject(terms, own, NEAR_SUBJECT * highest)
    return isAbout ? quotesOfPaper(asked, places, passages) : []
  })
  return bestByPaper(quotes, passages, MOST_PAPERS).map(({ passage, text }) => ({ passage, text: withoutLabel(text) }))
}

function isAboutSubject(terms: readonly string[], own: readonly PaperPassage[], least: number): boolean {
  if (!own.some(({ score }) => score >= least)) return false
  const text = new Set(own.flatMap(({ content, title }) => searchTerms(`${title ?? ''}\n${content}`)))
  const cosines = own.flatMap(({ sentences = [] }) => sentences.map(({ similarity }) => similarity))
  return terms.some((term) => text.has(term)) || cosines.some((cosine) => cosine >= ABOUT)
}

function quotesOfPaper(
  { designs, words }: DesignQuestion,
  places: readonly number[],
  passages: readonly PaperPassage[],
): (PaperQuote & { value: number })[] {
  const { title = null, evidence_level } = passages[places[0]!]!
  const statements = statementsOf(places, passages)
  const stored = designsOfLevel(evidence_level)
  const own = stored.length > 0 ? stored : ([findDesign(title, statements)?.design ?? []].flat() as StudyDesign[])
  const matching = designs.filter((design) =>
    design.level === null ? canHave(design, own, title) || stored.includes(design) : own.includes(design),
  )
  if (matching.length === 0) return []
  const isTitled = title !== null && matching.some((design) => namesDesign(title, design, true))
  const fitOf = ({ passage }: Placed, fit: number) =>
    fit + SCORE * passages[passage]!.score + (isTitled ? TITLED : 0) + (stored.length > 0 ? STORED : 0)
  const named = (isLoose: boolean) =>
    designZones(statements).flatMap((zone, place) =>
      zone
        .filter(({ text }) => matching.some((design) => namesDesign(text, design, isLoose)))
        .map((one) => ({ ...one, value: fitOf(one, ZONES[place]!) })),
    )
  const ofTitle = titlesIn(title, places, passages).map((one) => ({ ...one, value: fitOf(one, TITLE) }))
  // If the evidence level is stored, a sentence without 'we' or 'this study' can name the design too.
  const sentences = [named(false), ...(stored.length > 0 ? [named(true)] : [])].find((one) => one.length > 0) ?? []
  return [...sentences, ...(isTitled ? ofTitle : [])].filter(({ text }) => words === null || words.test(text))
}

/** Returns the designs of a stored evidence level; none if it is unknown. */
const designsOfLevel = (level: string | null | undefined): StudyDesign[] =>
  level && level !== UNKNOWN_EVIDENCE_LEVEL
    ? STUDY_DESIGNS.filter(({ stored }) => new RegExp(stored, 'i').test(level))
    : []

/**
 * Returns whether a paper can have `design`, a design without an evidence level (qualitative, mixed methods). `own` are the
 * designs of the paper. A trial with interviews is not a qualitative study unless its title says so.
 */
const canHave = (design: StudyDesign, own: readonly StudyDesign[], title: string | null): boolean =>
  own.every(({ level }) => level === null || level >= 4) || (title !== null && namesDesign(title, design, true))

/** Returns the sentences of a paper in the order of its text, with the role of their section. */
function statementsOf(places: readonly number[], passages: readonly PaperPassage[]): Placed[] {
  const inOrder = places.toSorted(
    (a, b) =>
      passages[a]!.page_number - passages[b]!.page_number || passages[a]!.page_offset - passages[b]!.page_offset,
  )
  const own = inOrder.map((at) => passages[at]!)
  return quotableSentences(own).flatMap(({ text, start, rank, isRow }) => {
    if (isRow) return []
    const role = roleAt(own[rank]!, start - own[rank]!.page_offset)
    return [{ text, role, move: BACKGROUND.test(text) ? 'background' : null, passage: inOrder[rank]! }]
  })
}

function roleAt(passage: PaperPassage, place: number): SectionRole {
  if (passage.page_number === 0) return 'abstract'
  const section = (sectionsOf([passage.content])[0] ?? []).find(({ start, end }) => place >= start && place < end)
  const heading = section?.heading || headingOfPassage(passage)
  const role = readHeading(heading)?.role ?? (/^(?:abstract|summary)/i.test(heading) ? 'abstract' : 'body')
  return ROLES[role] ?? role
}

/** Returns the title as printed in each passage that contains it; it can extend over several lines. */
function titlesIn(title: string | null, places: readonly number[], passages: readonly PaperPassage[]): Placed[] {
  const words = title?.match(/\S+/g) ?? []
  if (words.length === 0) return []
  const pattern = new RegExp(
    words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join(String.raw`\s+`),
    'iu',
  )
  return places.flatMap((passage) => {
    const text = pattern.exec(passages[passage]!.content)?.[0]
    return text ? [{ text, role: 'front' as const, move: null, passage }] : []
  })
}
