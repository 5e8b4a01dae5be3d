import { tagWords } from '#shared/contract/answer-texts.ts'
import type { AnswerScope } from '#shared/contract/conversations.ts'
import { counted, grouped } from '#shared/text/numbers.ts'

/**
 * Returns the papers of a question in words: 'all 42 papers', '3 chosen papers', 'papers with tag memory'. `total` is the
 * number of papers of the project; 0 if it is unknown.
 */
export function scopeWords(scope: AnswerScope, total: number): string {
  if (scope.kind === 'papers') return counted(scope.document_ids.length, 'chosen paper')
  if (scope.kind === 'tags') return `papers with ${tagWords(scope.tags)}`
  if (total === 0) return 'all papers'
  return total === 1 ? 'the only paper' : `all ${grouped(total)} papers`
}
