import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { AnswerScope } from '#shared/contract/conversations.ts'
import { withTags } from './filter-queries.ts'
import { among, type Covered, inScope, termRows } from './scope-queries.ts'

/**
 * Returns the SQL condition that a document `d` is one of the papers from which a question is answered; null for all papers.
 */
export function scopeFilter(scope: AnswerScope, leaveOutRetracted: boolean): SQL | null {
  const conditions = [
    ...(scope.kind === 'papers' ? [sql`d.id = any(${sql.param(scope.document_ids)}::uuid[])`] : []),
    ...(scope.kind === 'tags' ? [withTags(scope.tags)] : []),
    ...(leaveOutRetracted ? [sql`not d.retracted`] : []),
  ]
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : null
}

/**
 * Returns the number of papers that a search covers, and whether at least one of them has a text or an abstract in the index.
 */
export async function measureCovered(
  tx: Tx,
  { scope, filter }: Covered,
): Promise<{ papers: number; hasText: boolean }> {
  const { rows } = await tx.execute<{ papers: number; has_text: boolean | null }>(sql`
    select count(*)::int as papers,
      bool_or(exists (select 1 from chunks c where c.document_id = d.id and not c.is_reference)) as has_text
    from documents d where ${inScope(scope, 'd')} and ${filter ?? sql`true`}`)
  const { papers, has_text } = rows[0]!
  return { papers, hasText: has_text ?? false }
}

/** Returns those of `terms` that occur in at least one of the papers that a search covers. */
export async function listKnownTerms(tx: Tx, covered: Covered, terms: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.execute<{ term: string }>(sql`
    select w.term from unnest(${sql.param([...new Set(terms)])}::text[]) w(term) where exists (
      select from ${termRows(covered.scope, sql`t.term = w.term and ${among(covered, 't.document_id')}`)} t)`)
  return new Set(rows.map(({ term }) => term))
}
