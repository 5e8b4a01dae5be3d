import type { Tx } from '#server/db/client.ts'
import { headingOfPassage, type PaperPart, placesOfPart } from '#server/language/question-part.ts'
import { listReadablePapers, listPassageHeadings, type PassageHeading } from './part-queries.ts'
import type { Covered, Place } from './scope-queries.ts'

/** Maximum number of papers, and of passages of each. */
const MOST_PAPERS = 8
const PASSAGES_OF_PAPER = 3
/** Many papers have no heading for their limitations, and name them at the end of the discussion. */
const ENDS_WITH_LIMITATIONS = /\bdiscussion/i

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
