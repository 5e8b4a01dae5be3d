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

/** Maximum number of papers, and of passages of each. */
const MOST_PAPERS = 8
const PASSAGES_OF_PAPER = 3
/** Many papers have no heading for their limitations, and name them at the end of the discussion. */
const ENDS_WITH_LIMITATIONS = /\bdiscussion/i
/** Maximum number of papers of a design, and of passages of each. */
const MOST_OF_DESIGN = 12
const DESIGN_PASSAGES = 2

/**
 * Finds the passages of the part that a question asks for ('What are the main findings?'), because no sentence matches such a
 * question by words or meaning. Reads up to eight papers: the given ones, and then the newest of the scope unless the list is
 * complete. At most three passages of a paper; for the authors, its first passage.
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
 * Finds the passages that name the design of a paper: the one that supports its evidence level, and those of the abstract and the
 * methods; without headings, the first ones. At most two of a paper, up to twelve papers: see `listPapersOfDesign`.
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
