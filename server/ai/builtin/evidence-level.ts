import { isOfThisStudy, namesDesign, STUDY_DESIGNS, type StudyDesign } from '#server/language/study-designs.ts'
import { evidenceLevelText, UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'
import type { Statement } from './statements.ts'

type Leveled = StudyDesign & { level: number }
const LEVELED = STUDY_DESIGNS.filter((one): one is Leveled => one.level !== null)

/** The design of a study, and the sentence or title that names it. */
export interface FoundDesign {
  design: Leveled
  quote: string
}

/** The text of a sentence, the role of its section, and its function in the abstract. */
export type DesignStatement = Pick<Statement, 'text' | 'role' | 'move'>

/**
 * Returns the evidence level of the design that the study names as its own in its title, abstract, methods or introduction,
 * with the title or sentence that names it. Ignores designs that are negated, recommended or used by other studies. Returns
 * 'Unknown' with the quote null if no design is named.
 */
export function findEvidenceLevel(
  title: string | null,
  statements: readonly DesignStatement[],
): { text: string; quote: string | null } {
  const found = findDesign(title, statements)
  if (!found) return { text: UNKNOWN_EVIDENCE_LEVEL, quote: null }
  return { text: evidenceLevelText(found.design.level, found.design.name), quote: found.quote }
}

/**
 * Returns the statements that can name the design of the study, in three lists: of the abstract, the methods, the introduction.
 */
export const designZones = <T extends DesignStatement>(statements: readonly T[]): T[][] => [
  statements.filter((one) => one.role === 'abstract' && one.move !== 'background'),
  statements.filter((one) => one.role === 'methods').slice(0, 150),
  statements.filter((one) => one.role === 'introduction' && isOfThisStudy(one.text)).slice(0, 60),
]

/**
 * Returns the design (such as a randomized trial) that a study names as its own, with the sentence or title that names it; null
 * if no design is named. `findEvidenceLevel` derives the evidence level of the paper from this design.
 */
export function findDesign(title: string | null, statements: readonly DesignStatement[]): FoundDesign | null {
  const inTitle = title ? LEVELED.filter((one) => namesDesign(title, one, true)) : []
  const found = designZones(statements).flatMap((zone, place) =>
    LEVELED.flatMap((design) => {
      const statement = zone.find((one) => namesDesign(one.text, design, false))
      return statement ? [{ design, quote: statement.text, place }] : []
    }),
  )
  // If the title names a design of level 3, such as a controlled experiment, but the text a randomised trial, the latter
  // counts.
  const titled = strongest(inTitle)
  if (titled)
    return (titled.level === 3 && found.find((one) => one.design.level === 2)) || { design: titled, quote: title! }
  const place = Math.min(...found.map((one) => one.place))
  const nearest = found.filter((one) => one.place === place)
  const best = nearest.toSorted(
    (a, b) => a.design.level - b.design.level || LEVELED.indexOf(a.design) - LEVELED.indexOf(b.design),
  )[0]
  const randomised = best?.design.level === 3 && found.find((one) => one.design.level === 2 && one.place <= 1)
  return randomised || best || null
}

const strongest = (designs: readonly Leveled[]) => designs.toSorted((a, b) => a.level - b.level)[0]
