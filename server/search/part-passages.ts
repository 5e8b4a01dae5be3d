import type { Tx } from '#server/db/client.ts'
import { headingOfPassage, type PaperPart, placesOfPart } from '#server/language/question-part.ts'
import { listReadablePapers, listSections, type SectionRow } from './part-queries.ts'
import type { Covered, Place } from './scope-queries.ts'

/** Papers that a general question is answered from, and passages of each. */
const MOST_PAPERS = 8
const PASSAGES_OF_PAPER = 3

/**
 * Returns the passages of the part that a general question asks for ('What are the main findings?'), because no sentence
 * matches such a question by words or meaning. The papers are those in `first`, and then the newest of the scope.
 */
export async function findPartPlaces(
  tx: Tx,
  covered: Covered,
  { part, first }: { part: PaperPart; first: readonly string[] },
): Promise<Place[]> {
  const others = first.length < MOST_PAPERS ? await listReadablePapers(tx, covered, MOST_PAPERS) : []
  const papers = [...new Set([...first, ...others])].slice(0, MOST_PAPERS)
  const rows = await listSections(tx, papers)
  return papers.flatMap((id) =>
    rowsOfPart(
      part,
      rows.filter((row) => row.document_id === id),
    ),
  )
}

function rowsOfPart(part: PaperPart, rows: readonly SectionRow[]): SectionRow[] {
  if (part === 'authors') return rows.slice(0, 1)
  const places = placesOfPart(part, {
    count: rows.length,
    isUnder: (place, heading) => heading.test(headingOfPassage(rows[place]!)),
  })
  return [...places.keys()].slice(0, PASSAGES_OF_PAPER).map((place) => rows[place]!)
}
