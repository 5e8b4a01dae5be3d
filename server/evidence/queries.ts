import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** Papers that are ranked: ranking reads the index of each. */
const MOST_RANKED = 2000

/**
 * The ids of papers of a project that contain words of a text, best match first: papers with all words, then papers with any.
 */
export async function findPapersWith(tx: Tx, projectId: string, words: string, limit: number): Promise<string[]> {
  const found = await tx.execute<{ id: string }>(sql`
    with asked as materialized (select plainto_tsquery('english', search_plain(${words})) as every),
    either as materialized (select every, replace(every::text, ' & ', ' | ')::tsquery as any_word from asked),
    with_every as materialized (
      select s.document_id, s.whole from document_search s, either
      where s.project_id = ${projectId} and s.whole @@ either.every limit ${MOST_RANKED}),
    with_any as materialized (
      select s.document_id, s.whole from document_search s, either
      where s.project_id = ${projectId} and s.whole @@ either.any_word limit ${MOST_RANKED})
    select document_id as id from (
      select document_id, 1 as part, ts_rank(whole, every) as rank from with_every, either
      union all
      select document_id, 2, ts_rank(whole, any_word) from with_any, either
      where document_id not in (select document_id from with_every)
    ) ranked order by part, rank desc, document_id limit ${limit}`)
  return found.rows.map(({ id }) => id)
}
