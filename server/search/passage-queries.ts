import type { CslName } from '#shared/contract/references.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { addressIn } from '#server/members/index.ts'
import { type PassageConditions, passageConditions, type Place } from './scope-queries.ts'
import { type SearchVector, vectorColumn } from './vector-queries.ts'

/**
 * Returns the passages at these places that match the conditions, with the cosine of each sentence to the vector: the JSON of
 * LibraryCandidate[] (room texts) without `words`.
 */
export async function readCandidates(
  tx: Tx,
  places: readonly Place[],
  asked: { vector: SearchVector | null; conditions: PassageConditions },
): Promise<string> {
  const { vector, conditions } = asked
  const dimension = vector ? vector.vector.length : 0
  const similarity = vector ? sql`1 - (s.embedding <=> ${sql.param(vector.vector, vectorColumn)}::halfvec)` : sql`0`
  const { rows } = await tx.execute<{ candidates: string }>(sql`
    with wanted as materialized (
      select c.id, c.document_id, c.position, c.content, c.page_number, c.page_offset,
        ${vector ? sql`c.model = ${vector.model} and c.dimension = ${dimension}` : sql`false`} as is_comparable
      from unnest(${sql.param(places.map((place) => place.document_id))}::uuid[], ${sql.param(places.map(({ position }) => position))}::int[]) as place(document_id, position)
      join chunks c on c.document_id = place.document_id and c.position = place.position
      where not c.is_reference and ${passageConditions(conditions, 'c.document_id', 'c.position', 'c.content')}
    ), own as (
      select s.chunk_id, json_agg(json_build_object('start', s.start_offset, 'end', s.end_offset, 'similarity', ${similarity})
        order by s.start_offset) as list
      from chunk_sentences s where s.chunk_id = any(array(select id from wanted where is_comparable)) group by s.chunk_id)
    select coalesce(json_agg(json_build_object('document_id', w.document_id, 'position', w.position, 'content', w.content,
      'page_number', w.page_number, 'page_offset', w.page_offset, 'sentences', coalesce(own.list, '[]'::json))), '[]')::text as candidates
    from wanted w left join own on own.chunk_id = w.id`)
  return rows[0]!.candidates
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

/** Returns the passages at these places with their papers, in any order. */
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
