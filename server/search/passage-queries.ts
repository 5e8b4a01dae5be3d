import type { CslName } from '#shared/contract/references.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { addressIn } from '#server/members/index.ts'
import type { StoredCandidates } from '#server/texts/index.ts'
import { type PassageConditions, passageConditions, type Place } from './scope-queries.ts'
import { type SearchVector, vectorColumn } from './vector-queries.ts'

/**
 * Returns the passages with these document ids and positions that match the conditions, and the cosine of each of their
 * sentences to the vector, in the format that `rankPassages` (server/texts) reads. Computes the inner product, which takes half
 * the time and equals the cosine, because all vectors have the length 1.
 */
export async function readCandidates(
  tx: Tx,
  places: readonly Place[],
  asked: { vector: SearchVector | null; conditions: PassageConditions },
): Promise<StoredCandidates> {
  const { vector, conditions } = asked
  const isComparable = vector ? sql`c.model = ${vector.model} and c.dimension = ${vector.vector.length}` : sql`false`
  const cosine = vector ? sql`-(s.embedding <#> ${sql.param(vector.vector, vectorColumn)}::halfvec)` : sql`0`
  const { rows } = await tx.execute<StoredCandidates & Record<string, unknown>>(sql`
    with wanted as materialized (
      select c.id, c.document_id, c.position, c.content, c.page_number, c.page_offset, ${isComparable} as is_comparable
      from unnest(${sql.param(places.map((place) => place.document_id))}::uuid[], ${sql.param(places.map(({ position }) => position))}::int[]) as place(document_id, position)
      join chunks c on c.document_id = place.document_id and c.position = place.position
      where not c.is_reference and ${passageConditions(conditions, 'c.document_id', 'c.position', 'c.content')}
    )
    select (select coalesce(json_agg(w), '[]')::text from wanted w) as passages, (
      select coalesce(string_agg(concat_ws(' ', s.chunk_id, s.start_offset, s.end_offset, ${cosine}), ';'), '')
      from chunk_sentences s where s.chunk_id = any(array(select id from wanted where is_comparable))) as sentences`)
  return rows[0]!
}

/** A passage with its paper, for a page of results. */
export interface PassageRow extends Record<string, unknown> {
  document_id: string
  position: number
  content: string
  page_number: number
  page_offset: number
  section: string | null
  project_id: string | null
  project_address: string | null
  title: string | null
  filename: string
  authors: string[]
  author_names: CslName[] | null
  year: number | null
  journal: string | null
  evidence_level: string | null
  retracted: boolean
  has_file: boolean
  text_version: number
}

/** Returns the passages with these document ids and positions, and data of their papers, in any order. */
export async function readPassages(tx: Tx, places: readonly Place[]): Promise<PassageRow[]> {
  const { rows } = await tx.execute<PassageRow>(sql`
    select c.document_id, c.position, c.content, c.page_number, c.page_offset, c.section, d.project_id,
      case when p.id is not null then ${addressIn(sql`p`)} end as project_address, d.title, d.filename, d.authors, d.reference->'author' as author_names,
      d.ref_year as year, d.journal_name as journal, d.evidence_level, d.retracted, d.source_url is not null as has_file, d.text_version
    from unnest(${sql.param(places.map((place) => place.document_id))}::uuid[], ${sql.param(places.map(({ position }) => position))}::int[]) as place(document_id, position)
    join chunks c on c.document_id = place.document_id and c.position = place.position
    join documents d on d.id = c.document_id left join projects p on p.id = d.project_id`)
  return rows
}
