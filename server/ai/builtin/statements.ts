import { withoutLabel } from './abstract-label.ts'
import { ABSTRACT_LABEL, type PlacedParagraph } from './sections.ts'
import type { SectionRole } from '#server/language/section-headings.ts'
import { isFinding, isMethod, isObjective } from './sentence-cues.ts'
import { readSentences, type Sentence } from './sentences.ts'

/** The function of a sentence in an abstract. */
export type Move = 'background' | 'objective' | 'methods' | 'results' | 'conclusion'

/**
 * A readable sentence with the role of its section. `move` is null outside the abstract. `order` is the zero-based index of the
 * sentence among the statements of the paper.
 */
export interface Statement extends Sentence {
  role: SectionRole
  move: Move | null
  order: number
}

/** Maximum number of sentences of a paper that are analyzed. The following sentences are ignored. */
const MOST_SENTENCES = 6000

/**
 * Returns the readable sentences of a paper, without references and back matter, and without the labels of an abstract.
 */
export function readStatements(paragraphs: readonly PlacedParagraph[]): Statement[] {
  const statements: Statement[] = []
  let label: Move | 'mixed' | null = null
  for (const paragraph of paragraphs) {
    if (statements.length >= MOST_SENTENCES) break
    if (['references', 'back', 'front', 'keywords'].includes(paragraph.role)) continue
    if (paragraph.role !== 'abstract') label = null
    else if (paragraph.label !== null) label = moveOfLabel(paragraph.label)
    for (const sentence of readSentences(paragraph)) {
      if (paragraph.role !== 'abstract') {
        statements.push({ ...sentence, role: paragraph.role, move: null, order: statements.length })
        continue
      }
      const found = ABSTRACT_LABEL.exec(sentence.text)
      if (found) label = moveOfLabel(found[1]!)
      const text = found ? sentence.text.slice(found[0].length) : withoutLabel(sentence.text)
      if (text.split(' ').length < 4) continue
      const move: Move = label === null || label === 'mixed' ? moveByWords(text, label) : label
      statements.push({ text, page: sentence.page, role: 'abstract', move, order: statements.length })
    }
  }
  return statements.some((one) => one.move && label) ? statements : withLastMove(statements)
}

/**
 * Returns the move that a label states. Returns 'mixed' for a label such as 'Methodology/Principal Findings', where the words
 * of each sentence decide.
 */
function moveOfLabel(label: string): Move | 'mixed' {
  const lower = label.toLowerCase()
  if (lower.includes('/principal')) return 'mixed'
  if (/^(?:background|context|introduction|rationale|motivation|hintergrund)/.test(lower)) return 'background'
  if (/^(?:objecti|objetiv|aim|purpose|goal|hypothes|ziel)/.test(lower)) return 'objective'
  if (/^(?:result|résultat|finding|principal finding|main result|ergebnis)/.test(lower)) return 'results'
  if (/^(?:conclus|conclusões|schluss|interpretation|discussion|significance|implication|recommendation)/.test(lower))
    return 'conclusion'
  return 'methods'
}

function moveByWords(text: string, label: 'mixed' | null): Move {
  if (
    /\b(?:we conclude|in conclusion|(?:these|our|the) (?:results|findings|data|study) (?:suggest|indicate|imply|highlight|underline|show that)|overall,)/i.test(
      text,
    )
  ) {
    return 'conclusion'
  }
  if (isFinding(text)) return 'results'
  if (isObjective(text)) return 'objective'
  return isMethod(text) || label === 'mixed' ? 'methods' : 'background'
}

/**
 * Changes the move of the last sentence of an abstract without labels to 'conclusion', unless its words show another move than
 * 'background'.
 */
function withLastMove(statements: Statement[]): Statement[] {
  const last = statements.findLastIndex((one) => one.move !== null)
  // A section 'Summary' of the whole paper has no such last sentence.
  if (last > 12) return statements
  return statements.map((one, index) =>
    index === last && one.move === 'background' && last > 2 ? { ...one, move: 'conclusion' } : one,
  )
}
