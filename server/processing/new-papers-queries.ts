import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { importRecords } from '#server/db/tables/imports.ts'
import { projects } from '#server/db/tables/projects.ts'

/**
 * A selection of papers to vectorize: the papers to which the records of the imports `import_ids` belong, or the papers
 * `document_ids`. With `project_id`, only papers in this project. Papers that existed before an import are included, because a
 * record of the import can add an abstract to them.
 */
export type NewPapers = ({ import_ids: readonly string[] } | { document_ids: readonly string[] }) & {
  project_id?: string
}

export interface NewPaper extends Record<string, unknown> {
  id: string
  title: string | null
  filename: string
}

const idsOf = (ids: readonly string[]) => sql`any (${sql.param([...ids])}::uuid[])`

/**
 * Returns the SQL of the selected papers that need vectors: they have an abstract, but no file, text or vectors, and their
 * project processes new documents automatically.
 */
const waiting = (papers: NewPapers) => sql`${documents} d
  join ${projects} p on p.id = d.project_id and p.process_automatically
  where d.deleted_at is null and d.source_url is null and d.extracted_text is null and d.vectorized_at is null
    and btrim(d.abstract) <> ''
    ${papers.project_id === undefined ? sql`` : sql`and d.project_id = ${papers.project_id}::uuid`}
    and ${
      'import_ids' in papers
        ? sql`d.id in (select r.document_id from ${importRecords} r
            where r.import_id = ${idsOf(papers.import_ids)})`
        : sql`d.id = ${idsOf(papers.document_ids)}`
    }`

/** Counts the selected papers that need vectors, by project. `first` is the id of one of the counted papers of the project. */
export async function countNewPapers(
  tx: Tx,
  papers: NewPapers,
): Promise<{ project_id: string; count: number; first: string }[]> {
  const { rows } = await tx.execute<{ project_id: string; count: number; first: string }>(sql`
    select d.project_id, count(*)::int as count, min(d.id::text) as first from ${waiting(papers)} group by d.project_id`)
  return rows
}

/** Returns up to `limit` of the selected papers that need vectors, in the order of their ids, starting after the id `after`. */
export async function listNewPapers(
  tx: Tx,
  papers: NewPapers,
  after: string | null,
  limit: number,
): Promise<NewPaper[]> {
  const { rows } = await tx.execute<NewPaper>(sql`
    select d.id, d.title, d.filename from ${waiting(papers)}
      ${after === null ? sql`` : sql`and d.id > ${after}::uuid`}
    order by d.id limit ${limit}`)
  return rows
}
