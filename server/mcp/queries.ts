import { eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projects } from '#server/db/tables/projects.ts'
import { addressIn } from '#server/members/index.ts'

/**
 * Returns the first path segment of the addresses of a project's pages, which is the name of the project, made unique for the
 * caller. Returns undefined if the caller may not read the project.
 */
export async function findProjectAddress(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ address: addressIn(projects) })
    .from(projects)
    .where(eq(projects.id, id))
  return row?.address
}

/** Returns the citation keys of documents, by document id. */
export async function findCitationKeys(tx: Tx, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ id: documents.id, key: sql<string | null>`${documents.reference} ->> 'citation-key'` })
    .from(documents)
    .where(inArray(documents.id, [...ids]))
  return new Map(rows.map(({ id, key }) => [id, key]))
}

/**
 * Returns up to `length` characters of a document's text (with page markers) from the zero-based offset `from`, and the length
 * of the whole text. Characters are counted as in PostgreSQL. `pages` restricts the text to these pages. Undefined without the
 * document.
 */
export async function readTextPart(
  tx: Tx,
  id: string,
  { from, length, pages }: { from: number; length: number; pages: { first: number; last: number } | undefined },
): Promise<{ part: string; length: number } | undefined> {
  const { first, last } = pages ?? { first: 0, last: 0 }
  // The same lines are page markers as in splitPages. A text without markers is page 1.
  const marker = (page: number | string) => String.raw`\n\[Page ${page}\][ \t]*(?:\r?\n|$)`
  const { rows } = await tx.execute<{ part: string; length: number }>(sql`
    with stored as materialized (
      select E'\n' || coalesce(extracted_text, '') as text from documents where id = ${id}),
    bounds as (
      select text,
        case when ${first} = 0 or ${first} = 1 and regexp_instr(text, ${marker('[0-9]{1,6}')}) = 0 then 2
          else nullif(regexp_instr(text, ${marker(first)}), 0) + 1 end as first_at,
        case when ${first} = 0 then 0 else regexp_instr(text, ${marker(last + 1)}) end as end_at
      from stored),
    chosen as (
      select case when first_at is null then ''
        when end_at > first_at then substr(text, first_at, end_at - first_at) else substr(text, first_at) end as text
      from bounds)
    select substr(text, ${from + 1}, ${length}) as part, length(text) as length from chosen`)
  return rows[0]
}
