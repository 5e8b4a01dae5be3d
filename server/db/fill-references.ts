import type { ClientBase } from 'pg'
import { newCitationKey } from '#shared/references/citation-key.ts'
import { columnsOf, type ReferenceColumns, withColumns } from '#shared/references/columns.ts'
import { isRefusal, PROGRAM_LIMIT_EXCEEDED } from './refusals.ts'

/** Receives the progress of a row step (a change of many rows): the number of finished rows and of all rows. */
export type ReportRows = (done: number, total: number) => void

/** Number of documents in each transaction. */
const AT_ONCE = 500

type Row = ReferenceColumns & { id: string; filename: string }

/**
 * Fills the column `reference` (the bibliographic record in CSL) of documents without one from the other columns, such as title
 * and authors, and adds the authors to the search index. Starts with the oldest document, because the first of several
 * documents with equal citation keys gets the key without an added letter. Each batch is one transaction, so that a killed
 * process loses only one batch.
 */
export async function fillReferences(client: ClientBase, report: ReportRows): Promise<void> {
  const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from documents where reference = '{}'`)
  const total = rows[0]!.n
  // The key of the last row: without it each batch would scan the rows before it.
  let last = { created_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
  for (let done = 0; done < total;) {
    const batch = await client.query<Row & { at: string }>(
      `select id, created_at::text as at, filename, title, doi_link, publication_date::text, journal_name, authors, abstract, link
         from documents where reference = '{}' and (created_at, id) > ($1::timestamptz, $2::uuid)
        order by created_at, id limit ${AT_ONCE}`,
      [last.created_at, last.id],
    )
    const end = batch.rows.at(-1)
    if (!end) return
    last = { created_at: end.at, id: end.id }
    await fillBatch(client, batch.rows)
    done += batch.rows.length
    report(done, total)
  }
}

async function fillBatch(client: ClientBase, rows: readonly Row[]): Promise<void> {
  const filled = rows.map((row) => {
    const reference = withColumns({}, row)
    return {
      id: row.id,
      ...columnsOf(reference),
      reference: { ...reference, 'citation-key': newCitationKey(reference, row.filename) },
    }
  })
  await client.query('begin')
  try {
    await client.query(
      `update documents d set reference = f.reference, title = f.title, doi_link = f.doi_link, journal_name = f.journal_name,
         authors = f.authors, abstract = f.abstract, link = f.link
       from jsonb_populate_recordset(null::documents, $1) f where f.id = d.id`,
      [JSON.stringify(filled)],
    )
    await addAuthors(
      client,
      rows.map(({ id }) => id),
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Adds the authors to the search vectors of the documents `ids`. If a vector would exceed the size limit of PostgreSQL,
 * `index_document` builds the vectors of the batch from less text.
 */
async function addAuthors(client: ClientBase, ids: readonly string[]): Promise<void> {
  await client.query('savepoint authors')
  try {
    await client.query(
      `update document_search s set words = d.words, head = s.head || d.authors, whole = s.whole || d.authors
       from (select id, search_words(title, filename, journal_name, doi_link, keywords, authors) as words, search_authors(authors) as authors
               from documents where id = any($1)) d
      where d.id = s.document_id and s.words <> d.words`,
      [ids],
    )
  } catch (error) {
    if (!isRefusal(error, PROGRAM_LIMIT_EXCEEDED)) throw error
    await client.query('rollback to savepoint authors')
    await client.query('select index_document(d) from documents d where d.id = any($1)', [ids])
  }
}
