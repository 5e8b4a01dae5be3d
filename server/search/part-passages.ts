import type { Tx } from '#server/db/client.ts'
import type { DesignQuestion } from '#server/language/design-question.ts'
import { headingOfPassage, headingsOf, type PaperPart, placesOfPart } from '#server/language/question-part.ts'
import {
  listLevelPlaces,
  listPapersOfDesign,
  listPassageHeadings,
  listReadablePapers,
  type PassageHeading,
} from './part-queries.ts'
import { type Covered, type Place, placeKey } from './scope-queries.ts'

/** Limits for a question about a part of the papers: number of papers (MOST_PAPERS), and of passages of each paper. */
const MOST_PAPERS = 8
const PASSAGES_OF_PAPER = 3
/**
 * Matches the heading of a discussion. Many papers have no heading for their limitations and describe them at the end of the
 * discussion.
 */
const ENDS_WITH_LIMITATIONS = /\bdiscussion/i
/** Limits for a question about a study design: number of papers (MOST_OF_DESIGN), and of passages of each paper. */
const MOST_OF_DESIGN = 12
const DESIGN_PASSAGES = 2

/**
 * Finds the passages for a question that asks for a part of the papers ('What are the main findings?'), because no sentence
 * matches such a question by words or meaning. Reads up to eight papers: first `papers`, then the newest papers of the scope
 * unless `isComplete` is set. Returns at most three passages of each paper; for the part 'authors', its first passage.
 */
export async function findPartPlaces(
  tx: Tx,
  covered: Covered,
  { part, papers, isComplete }: { part: PaperPart; papers: readonly string[]; isComplete: boolean },
): Promise<Place[]> {
  const isEnough = isComplete || papers.length >= MOST_PAPERS
  const others = isEnough ? [] : await listReadablePapers(tx, covered, MOST_PAPERS)
  const read = [...new Set([...papers, ...others])].slice(0, MOST_PAPERS)
  const rows = await listPassageHeadings(tx, read)
  return read.flatMap((id) =>
    rowsOfPart(
      part,
      rows.filter((row) => row.document_id === id),
    ),
  )
}

function rowsOfPart(part: PaperPart, rows: readonly PassageHeading[]): PassageHeading[] {
  if (part === 'authors') return rows.slice(0, 1)
  const places = placesOfPart(part, {
    count: rows.length,
    isUnder: (place, heading) => heading.test(headingOfPassage(rows[place]!)),
  })
  const found = [...places.keys()].slice(0, PASSAGES_OF_PAPER).map((place) => rows[place]!)
  if (found.length > 0 || part !== 'limitations') return found
  return rows.filter((row) => ENDS_WITH_LIMITATIONS.test(headingOfPassage(row))).slice(-PASSAGES_OF_PAPER)
}

/**
 * Finds the passages that describe the study design of papers: the passage that supports the evidence level of the paper, and
 * passages of the abstract and the methods, or else the first passages. Returns at most two passages of each of up to twelve
 * papers. `papers` are the papers that the search found, best first. If `isComplete` is true, returns passages of these papers
 * only.
 */
export async function findDesignPlaces(
  tx: Tx,
  covered: Covered,
  { design, papers, isComplete }: { design: DesignQuestion; papers: readonly string[]; isComplete: boolean },
): Promise<Place[]> {
  const levels = design.designs.map(({ stored }) => stored).join('|')
  const isStrict = design.designs.every((one) => one.level !== null)
  const read = await listPapersOfDesign(tx, covered, { level: levels, isStrict, papers, isComplete }, MOST_OF_DESIGN)
  const rows = await listPassageHeadings(tx, read)
  const supporting = new Set((await listLevelPlaces(tx, read)).map(placeKey))
  const [methods] = headingsOf('methods')
  return read.flatMap((id) => {
    const own = rows.filter((row) => row.document_id === id)
    const abstract = own.find((row) => /\babstract|\bsummary/i.test(headingOfPassage(row)))
    const ofMethods = own.find((row) => methods!.test(headingOfPassage(row)))
    const level = own.find((row) => supporting.has(placeKey(row)))
    const places = [level, abstract ?? own[0], ofMethods, own[0], own[1]]
    return [...new Set(places.filter((place) => place !== undefined))].slice(0, DESIGN_PASSAGES)
  })
}
