import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { CodedDocument } from './vector-codes.ts'

/**
 * Maximum number of documents that one query reads. Their codes (vectors with eight bits for each number) have a few MB at
 * most.
 */
const DOCUMENTS_AT_ONCE = 200

/**
 * Returns the documents whose index changed after the change number `after.change`, with the codes of their vectors (eight bits
 * for each number) if these are from the given model. `change` is the number of the last returned change; `isComplete` is false
 * if more documents may follow.
 */
export async function readChangedCodes(
  tx: Pick<Tx, 'execute'>,
  after: { change: number; model: string; dimension: number },
): Promise<{ documents: CodedDocument[]; change: number; isComplete: boolean }> {
  const { rows } = await tx.execute<{
    id: string
    project: string | null
    creator: string | null
    change: string
    codes: Buffer | null
  }>(sql`
    with changed as materialized (
      select document_id, project_id, created_by, change from indexed_documents
      where change > ${after.change} order by change limit ${DOCUMENTS_AT_ONCE})
    select d.document_id as id, d.project_id as project, d.created_by as creator, d.change::text as change, own.codes
    from changed d left join lateral (
      select string_agg(int4send(c.position) || c.code, '') as codes from chunks c
      where c.document_id = d.document_id and c.code is not null and c.model = ${after.model} and c.dimension = ${after.dimension}
    ) own on true order by d.change`)
  return {
    documents: rows.map(({ id, project, creator, codes }) => ({
      id,
      project,
      creator,
      codes: codes ?? new Uint8Array(),
    })),
    change: Number(rows.at(-1)?.change ?? after.change),
    isComplete: rows.length < DOCUMENTS_AT_ONCE,
  }
}

/** Returns the number of documents of all users, deleted ones included. */
export async function countIndexedDocuments(tx: Pick<Tx, 'execute'>): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`select count(*)::int as n from indexed_documents`)
  return rows[0]!.n
}
