import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { type Covered, inScope, type Place } from './scope-queries.ts'

/** A passage with the heading of its longest section. Page 0: the title and the abstract. */
export interface PassageHeading extends Place, Record<string, unknown> {
  page_number: number
  section: string | null
}

/** Returns the ids of the covered papers with passages, newest first, at most `limit`. */
export async function listReadablePapers(tx: Tx, { scope, filter }: Covered, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from documents d where ${inScope(scope, 'd')} and ${filter ?? sql`true`}
      and exists (select from chunks c where c.document_id = d.id and not c.is_reference)
    order by d.created_at desc, d.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Returns the passages of these papers except their reference lists, in the order of each paper. */
export async function listPassageHeadings(tx: Tx, papers: readonly string[]): Promise<PassageHeading[]> {
  const { rows } = await tx.execute<PassageHeading>(sql`
    select document_id, position, page_number, section from chunks
    where document_id = any(${sql.param([...papers])}::uuid[]) and not is_reference order by document_id, position`)
  return rows
}
