import { and, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { ofProject } from '#server/documents/index.ts'
import type { ExportFormat } from '#shared/contract/exports.ts'
import type { ExportedPaper } from './write-part.ts'

/** A paper for an export, with the storage key of its PDF (`source_url`); null without a PDF. */
type StoredPaper = ExportedPaper & { source_url: string | null }

/** The SQL condition for papers that a format can contain. A format without an entry can contain every paper. */
const FITS: Partial<Record<ExportFormat, ReturnType<typeof sql>>> = {
  nbib: sql`${documents.pmid} is not null`,
  pdfs: sql`${documents.source_url} is not null`,
}

/**
 * Returns true if an export in this format omits some papers: 'nbib' omits papers without a PMID, and 'pdfs' omits papers
 * without a PDF.
 */
export const leavesOut = (format: ExportFormat): boolean => FITS[format] !== undefined

/**
 * Returns the ids of those papers of a project that the format can contain, in the order of `ids`. `found` is the number of all
 * ids that are papers of the project.
 */
export async function findFittingIds(
  tx: Tx,
  projectId: string | null,
  ids: readonly string[],
  format: ExportFormat,
): Promise<{ ids: string[]; found: number }> {
  const { rows } = await tx.execute<{ ids: string | null; found: number }>(sql`
    select string_agg(${documents.id}::text, ',' order by place) filter (where ${FITS[format] ?? sql`true`}) as ids,
      count(*)::int as found
    from unnest(${sql.param([...ids])}::uuid[]) with ordinality as wanted (id, place)
    join ${documents} on ${documents.id} = wanted.id
    where ${ofProject(projectId)}`)
  const [row] = rows
  return { ids: row?.ids?.split(',') ?? [], found: row?.found ?? 0 }
}

/**
 * Returns those papers of the project `projectId` that have one of the ids, in any order, with the storage keys of their PDFs.
 * If `projectId` is null, returns only papers without a project.
 */
export function findExportedPapers(tx: Tx, projectId: string | null, ids: readonly string[]): Promise<StoredPaper[]> {
  const { id, filename, title, keywords, source_url } = documents
  return tx
    .select({ id, filename, title, keywords, source_url, reference: sql<string>`${documents.reference}::text` })
    .from(documents)
    .where(and(ofProject(projectId), sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`))
}
