import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documentTags, documents } from '#server/db/tables/documents.ts'
import { importRecords, imports } from '#server/db/tables/imports.ts'
import { tags } from '#server/db/tables/projects.ts'

/**
 * Maximum number of stored papers with which a batch of imported records is compared. If more papers have the same DOI, title
 * or other key as the records, that key is probably wrong.
 */
const CANDIDATES_MAX = 2000

/** Serializes the transactions that add papers to a project from references (advisory lock, released at commit). */
export async function lockAdditions(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`papers of ${projectId}`}, 0))`)
}

/**
 * Returns the papers of a project that may be the same as papers to import: those that have at least one of the identifiers or
 * titles in `keys`. `keys` is a JSON object with the lists doi, pmid, pmcid, arxiv, isbn and title. The result is the JSON text
 * of a list of `{id, version, has_file, created_at, edited_fields, reference}`. Omits papers that the import `importId` has
 * created.
 */
export async function findCandidates(
  tx: Tx,
  { projectId, importId = null }: { projectId: string; importId?: string | undefined | null },
  keys: string,
): Promise<string> {
  const values = (name: string) => sql`array (select jsonb_array_elements_text(${keys}::jsonb -> ${name}))`
  const having = (column: ReturnType<typeof sql>, name: string) =>
    sql`select id from ${documents} where project_id = ${projectId}::uuid and ${column} = any (${values(name)})`
  const { rows } = await tx.execute<{ found: string }>(sql`
    select coalesce(json_agg(c), '[]')::text as found from (
      select d.id, d.version, d.source_url is not null as has_file, d.created_at, d.edited_fields, d.reference
      from ${documents} d
      where d.id in (
        ${having(sql`doi_key`, 'doi')} union ${having(sql`pmid`, 'pmid')} union
        select documents_of_pmcids(${projectId}::uuid, ${values('pmcid')}) union ${having(sql`arxiv_id`, 'arxiv')} union
        ${having(sql`isbn13`, 'isbn')} union ${having(sql`title_match`, 'title')})
        and not exists (select from ${importRecords} r
          where r.document_id = d.id and r.import_id = ${importId}::uuid and r.outcome = 'created')
      order by d.id limit ${CANDIDATES_MAX}) c`)
  return rows[0]!.found
}

/**
 * Locks the papers that records of an import join, in the order of their ids, as deletions and moves of papers do. Call it
 * before the other functions of this file, which lock the papers in the order of the records. `records` is the JSON list of
 * `insertRecords`.
 */
export async function lockJoinedRows(tx: Tx, importId: string, records: string): Promise<void> {
  await tx.execute(sql`
    select from ${documents} where id in (
      select coalesce(x.document_id, w.document_id) from jsonb_to_recordset(${records}::jsonb) as x (document_id uuid, within int)
      left join ${importRecords} w on w.import_id = ${importId}::uuid and w.position = x.within)
    order by id for no key update`)
}

/** SQL column definitions that convert JSON with the columns of `DocumentValues` (server/references) to rows. */
const VALUES = sql`as x (id uuid, version int, position int, title text, doi_link text, publication_date date,
  journal_name text, authors text[], abstract text, link text, reference jsonb, keywords text[])`

/**
 * SQL for the id of the oldest journal with the name of an imported article's journal, ignoring case. It is null if there is
 * none, because imports create no journals.
 */
const JOURNAL = sql`(select j.id from journals j where j.name_key = lower(x.journal_name)
  and x.reference ->> 'type' like 'article%' order by j.created_at limit 1)`

/**
 * Inserts documents without a file from imported references. `values` is a JSON list with one object for each document; VALUES
 * lists its fields. `position` is the place of a document in the import, and the list of the project shows the documents in
 * this order.
 */
export async function insertReferencedRows(
  tx: Tx,
  { userId, projectId, importId }: { userId: string; projectId: string; importId: string },
  values: string,
): Promise<void> {
  await tx.execute(sql`
    insert into documents (id, created_by, project_id, filename, status, metadata_checked_at, created_at, title, doi_link,
      publication_date, journal_name, journal_id, authors, abstract, link, reference, keywords)
    select x.id, ${userId}, ${projectId}::uuid, '', 'pending', now(),
      i.created_at - x.position * interval '1 microsecond', x.title, x.doi_link, x.publication_date, x.journal_name,
      ${JOURNAL}, x.authors, x.abstract, x.link, x.reference, x.keywords
    from ${imports} i, jsonb_to_recordset(${values}::jsonb) ${VALUES} where i.id = ${importId}::uuid
    order by x.position`)
  await linkTags(tx, projectId, values)
}

/**
 * Updates documents with the values of imported references and returns the number of updated documents. `values` is a JSON list
 * with one object for each document; VALUES lists its fields. Skips a document whose stored version differs from the `version`
 * in its object, because another request has changed it. If the title, the authors, the DOI, the journal or the date changes,
 * marks the metadata as checked, so that later analyses do not change it.
 */
export async function updateReferencedRows(tx: Tx, projectId: string, values: string): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    update documents d set title = x.title, doi_link = x.doi_link, publication_date = x.publication_date,
      journal_id = case when d.journal_name is null then ${JOURNAL} else d.journal_id end, journal_name = x.journal_name,
      authors = x.authors, abstract = x.abstract, link = x.link, reference = x.reference, updated_at = now(),
      metadata_checked_at = case when (d.title, d.authors, d.doi_link, d.journal_name, d.reference -> 'issued')
        is distinct from (x.title, x.authors, x.doi_link, x.journal_name, x.reference -> 'issued') then now()
        else d.metadata_checked_at end
    from jsonb_to_recordset(${values}::jsonb) ${VALUES}
    where d.id = x.id and d.project_id = ${projectId}::uuid and d.version = x.version`)
  return rowCount ?? 0
}

/** Adds tags to documents. `values` is a JSON list of `{id, keywords}`. The tags must already exist in the project. */
export async function addTagsToRows(tx: Tx, projectId: string, values: string): Promise<void> {
  await tx.execute(sql`
    update documents d set updated_at = now(), keywords = d.keywords || array (
      select one from unnest(x.keywords) one where not exists (select from unnest(d.keywords) k where lower(k) = lower(one)))
    from jsonb_to_recordset(${values}::jsonb) as x (id uuid, keywords text[])
    where d.id = x.id and d.project_id = ${projectId}::uuid`)
  await linkTags(tx, projectId, values)
}

const linkTags = (tx: Tx, projectId: string, values: string) =>
  tx.execute(sql`
    insert into ${documentTags} (document_id, tag_id)
    select distinct x.id, t.id from jsonb_to_recordset(${values}::jsonb) as x (id uuid, keywords text[])
    join ${documents} d on d.id = x.id
    cross join unnest(x.keywords) one
    join ${tags} t on t.project_id = ${projectId}::uuid and lower(t.name) = lower(one)
    on conflict do nothing`)
