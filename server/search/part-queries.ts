import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { STUDY_DESIGNS } from '#server/language/study-designs.ts'
import { type Covered, inScope, type Place } from './scope-queries.ts'

/**
 * A passage with the heading of the section to which most of the passage belongs (`section`). Page 0 has the title and the
 * abstract.
 */
export interface PassageHeading extends Place, Record<string, unknown> {
  page_number: number
  section: string | null
}

/** Returns the ids of the papers in the scope of a search that have passages, newest first, at most `limit`. */
export async function listReadablePapers(tx: Tx, { scope, filter }: Covered, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from documents d where ${inScope(scope, 'd')} and ${filter ?? sql`true`}
      and exists (select from chunks c where c.document_id = d.id and not c.is_reference)
    order by d.created_at desc, d.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Returns the passages of these papers except their reference lists. The passages of a paper are in the order of its text. */
export async function listPassageHeadings(tx: Tx, papers: readonly string[]): Promise<PassageHeading[]> {
  const { rows } = await tx.execute<PassageHeading>(sql`
    select document_id, position, page_number, section from chunks
    where document_id = any(${sql.param([...papers])}::uuid[]) and not is_reference order by document_id, position`)
  return rows
}

/**
 * A regular expression that matches each evidence level that names a study design. Other levels, such as '2b', do not name a
 * design.
 */
const ANY_DESIGN = STUDY_DESIGNS.map(({ stored }) => stored).join('|')

/** Selects the papers that can have a certain study design. */
interface PapersOfDesign {
  /** A regular expression of the stored evidence levels of the design. */
  level: string
  /** Whether papers whose evidence level names another design are left out. */
  isStrict: boolean
  /** The papers that the search found, best first. */
  papers: readonly string[]
  /** Whether papers that are not in `papers` are left out. */
  isComplete: boolean
}

/**
 * Returns the ids of at most `limit` papers that can have a study design: first the papers whose evidence level is this design,
 * then the papers that the search found, then the newest papers of the scope. Papers that the search did not find are omitted
 * if `isComplete` is true. Papers whose evidence level names another design are omitted if `isStrict` is true.
 */
export async function listPapersOfDesign(
  tx: Tx,
  { scope, filter }: Covered,
  { level, isStrict, papers, isComplete }: PapersOfDesign,
  limit: number,
): Promise<string[]> {
  const found = sql`array_position(${sql.param([...papers])}::uuid[], d.id)`
  const isOfDesign = sql`coalesce(d.evidence_level ~* ${level}, false)`
  const isUnknown = sql`not coalesce(d.evidence_level ~* ${ANY_DESIGN}, false)`
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from documents d where ${inScope(scope, 'd')} and ${filter ?? sql`true`}
      and (${!isStrict} or ${isOfDesign} or ${isUnknown}) and (${!isComplete} or ${found} is not null)
      and exists (select from chunks c where c.document_id = d.id and not c.is_reference)
    order by ${isOfDesign} desc, ${found}, d.created_at desc, d.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/**
 * Returns the passage that supports the evidence level of each of these papers, as document id and position of the chunk.
 * Papers without such a passage have no entry.
 */
export async function listLevelPlaces(tx: Tx, papers: readonly string[]): Promise<Place[]> {
  const { rows } = await tx.execute<Place & Record<string, unknown>>(sql`
    select c.document_id, min(c.position)::int as position from documents d
    cross join lateral jsonb_array_elements(d.passages) as p
    join chunks c on c.document_id = d.id and not c.is_reference and c.page_number = (p->>'page')::int
      and (p->>'start')::int >= c.page_offset and (p->>'end')::int <= c.page_offset + length(c.content)
    where d.id = any(${sql.param([...papers])}::uuid[]) and p->>'field' = 'evidence_level' and p->>'page' is not null
    group by c.document_id`)
  return rows
}
