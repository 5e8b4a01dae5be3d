import { count, eq, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { UNKNOWN_EVIDENCE_LEVEL } from '#shared/contract/analysis.ts'

/**
 * Returns the statuses, evidence levels and tags by which the documents of a project can be filtered, each with its number of
 * documents.
 */
export async function listFilterRows(tx: Tx, projectId: string) {
  const of = eq(documents.project_id, projectId)
  const statuses = await tx
    .select({ status: documents.status, document_count: count() })
    .from(documents)
    .where(of)
    .groupBy(documents.status)
  return { statuses, ...(await listLevelsAndTags(tx, of)) }
}

/** Returns the evidence levels and the tags of the documents that match the condition, each with its number of documents. */
export async function listLevelsAndTags(tx: Tx, of: SQL) {
  const level = sql<string>`coalesce(nullif(${documents.evidence_level}, ''), ${UNKNOWN_EVIDENCE_LEVEL})`
  const evidence_levels = await tx
    .select({ level, document_count: count() })
    .from(documents)
    .where(of)
    .groupBy(sql`1`)
    .orderBy(sql`1`)
  // Keywords that differ only in case are one choice, in the most frequent spelling; if two are equally frequent, the first by
  // code point.
  const name = sql<string>`mode() within group (order by keyword collate "C")`
  const tags = await tx
    .select({ name, document_count: sql<number>`count(distinct ${documents.id})::int` })
    .from(sql`${documents}, unnest(${documents.keywords}) as keyword`)
    .where(of)
    .groupBy(sql`lower(keyword)`)
    .orderBy(sql`lower(keyword)`)
  return { evidence_levels, tags }
}
