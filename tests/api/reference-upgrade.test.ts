import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { describe, expect, it } from 'vitest'
import { applyMigrations } from '#server/db/apply-migrations.ts'
import { startEmbeddedDatabase } from '#server/db/embedded/index.ts'
import { columnsOf, type ReferenceColumns } from '#shared/references/columns.ts'
import { arxivId } from '#shared/references/identifiers.ts'
import { titleMatch } from '#shared/references/title-match.ts'
import { createDatabase } from '#tests/helpers/test-database.ts'

const PROJECT = '00000000-0000-4000-8000-000000000001'
const FILL = `
  insert into "user" (id, name, email) values ('ann', 'Ann', 'ann@example.org');
  insert into projects (id, owner_id, name) values ('${PROJECT}', 'ann', 'P');
  insert into documents (created_by, project_id, filename, title, doi_link, publication_date, journal_name, authors, abstract, link, created_at)
    select 'ann', nullif(project, '')::uuid, filename, title, doi, date::date, journal, authors, abstract, link, now() + n * interval '1 second'
    from (values
      (1, '${PROJECT}', 'a.pdf', 'Naps and recall', 'https://doi.org/10.5555/Naps', '2025-03-14', 'Sleep',
        array['Ines Marlowe', 'Lindqvist, Signe', 'North Quay Sleep Group'], 'We asked.', 'https://example.org/naps'),
      (2, '${PROJECT}', 'b.pdf', 'Naps and dreams', null, '2025-01-01', '', array['Ines Marlowe'], null, null),
      (3, '${PROJECT}', 'report_2020.pdf', null, null, null, null, '{}'::text[], null, null),
      (4, '', 'c.pdf', 'Naps without a project', null, '2025-01-01', null, array['Ines Marlowe'], '', null)
    ) given (n, project, filename, title, doi, date, journal, authors, abstract, link);
  insert into documents (created_by, project_id, filename) select 'ann', '${PROJECT}', n || '.pdf' from generate_series(1, 1200) n`

/**
 * Texts whose keys of comparison could differ between the database and TypeScript, because of the locale, the version of
 * Unicode or the dialect of regular expressions.
 */
const HARD = [
  'Über <i>Σίσυφος</i> &amp; ἈΡΧΉ &#8211; Наука №5 ½ ﬁn',
  'İstanbul ıssız ẞ straße ǅ ŉ ﬀ Ⅷ ² ℌ Å',
  '睡眠、記憶とノンレム睡眠 ｶﾞ 한국어 제목!',
  'مقدمة، في النوم ٣ हिन्दी में नींद। ก่อนนอน',
  'a < b and c > d, p<0.05 & x&y; <jats:sub>2</jats:sub>',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐐀 😴 ‘quotes’ — “dashes” … ΟΔΟΣ',
  '長'.repeat(700),
  '',
]

const onServer = async () => {
  const database = (await createDatabase())!
  return { connection: { connectionString: database.url }, end: () => database.drop() }
}
const onEmbedded = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  const database = await startEmbeddedDatabase({ dataDir })
  const end = async () => {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { connection: database.connection as ClientConfig, end }
}
const DATABASES = process.env['TEST_DATABASE_URL']
  ? ([
      ['PostgreSQL', onServer],
      ['the embedded database', onEmbedded],
    ] as const)
  : ([['the embedded database', onEmbedded]] as const)

describe.each(DATABASES)('citation keys on %s', (_name, open) => {
  it('The search for a free citation key reads no other documents, also with the statistics of an empty table (FND-07)', async () => {
    const { connection, end } = await open()
    const client = new Client(connection)
    try {
      await client.connect()
      await applyMigrations(client)
      await client.query('vacuum (analyze) documents')
      await client.query(`begin;
        insert into "user" (id, name, email) values ('ann', 'Ann', 'ann@example.org');
        insert into projects (id, owner_id, name) values ('${PROJECT}', 'ann', 'P');
        insert into documents (created_by, project_id, filename, reference) select 'ann', '${PROJECT}', '',
          jsonb_build_object('type', 'book', 'citation-key', 'Key' || n % 60) from generate_series(1, 300) n`)
      const scanned = `select pg_stat_get_xact_tuples_returned('documents'::regclass)::int as rows`
      expect((await client.query(scanned)).rows).toEqual([{ rows: 0 }])
      const { rows } = await client.query<{ key: string }>(
        `select reference ->> 'citation-key' as key from documents where lower(reference ->> 'citation-key') ~ '^key7[a-z]*$' order by 1`,
      )
      expect(rows.map(({ key }) => key)).toEqual(['Key7', 'Key7a', 'Key7b', 'Key7c', 'Key7d'])
    } finally {
      await client.end()
      await end()
    }
  })
})

describe.each(DATABASES)('the migration to references on %s', (_name, open) => {
  it('Existing documents get a reference, a citation key and a record, and equal columns (FND-01, FND-04, FND-13)', async () => {
    const { connection, end } = await open()
    const client = new Client(connection)
    try {
      await client.connect()
      await applyMigrations(client, '0065_unambiguous_addresses')
      await client.query(FILL)
      const reports: [number, number][] = []
      await applyMigrations(client, undefined, (...report) => reports.push(report))
      expect(reports).toEqual([
        [500, 1204],
        [1000, 1204],
        [1204, 1204],
      ])

      const { rows } = await client.query<ReferenceColumns & { id: string; reference: object }>(
        `select id, reference, title, doi_link, publication_date::text, journal_name, authors, abstract, link
           from documents order by created_at desc, filename limit 4`,
      )
      expect(rows[3]!.reference).toEqual({
        id: rows[3]!.id,
        type: 'article-journal',
        title: 'Naps and recall',
        DOI: '10.5555/Naps',
        issued: { 'date-parts': [[2025, 3, 14]] },
        'container-title': 'Sleep',
        author: [
          { family: 'Marlowe', given: 'Ines' },
          { family: 'Lindqvist', given: 'Signe' },
          { literal: 'North Quay Sleep Group' },
        ],
        abstract: 'We asked.',
        URL: 'https://example.org/naps',
        'citation-key': 'marlowe2025naps',
      })
      for (const row of rows) {
        expect(row).toMatchObject(columnsOf(row.reference))
      }
      expect(rows.map(({ reference }) => (reference as Record<string, unknown>)['citation-key'])).toEqual([
        'marlowe2025naps',
        'report',
        'marlowe2025napsa',
        'marlowe2025naps',
      ])
      const { rows: twins } = await client.query(
        `select count(distinct lower(reference ->> 'citation-key'))::int as keys, count(*)::int as documents
           from documents where project_id = '${PROJECT}'`,
      )
      expect(twins).toEqual([{ keys: 1203, documents: 1203 }])

      const { rows: counts } = await client.query(
        `select i.project_id, i.kind, i.created_by, i.read_count, i.created_count, count(r.id)::int as records, max(r.position) as last
           from imports i join import_records r on r.import_id = i.id group by i.id`,
      )
      const all = { read_count: 1203, created_count: 1203, records: 1203, last: 1203 }
      expect(counts).toEqual([{ project_id: PROJECT, kind: 'upload', created_by: 'ann', ...all }])

      const { rows: found } = await client.query(
        `select d.title from document_search s join documents d on d.id = s.document_id
          where s.whole @@ to_tsquery('english', 'lindqvist & recall') and s.words like '%lindqvist%'`,
      )
      expect(found).toEqual([{ title: 'Naps and recall' }])
    } finally {
      await client.end()
      await end()
    }
  })

  it('The keys of comparison are equal in the database and in TypeScript (FND-03, FMT-40)', async () => {
    const { connection, end } = await open()
    const client = new Client(connection)
    try {
      await client.connect()
      await applyMigrations(client)
      // Letters of all scripts whose blocks get no new letters with a version of Unicode.
      const blocks = [0x20, 0x1000, 0x3041, 0x4e00, 0xac00].map((start) =>
        Array.from({ length: 0xfc0 }, (_, n) => String.fromCodePoint(start + n))
          .filter((letter) => /\P{Cn}/u.test(letter))
          .join(''),
      )
      const texts = [...HARD, ...blocks.flatMap((block) => block.match(/.{1,100}/gsu) ?? [])]
      const { rows } = await client.query<{ match: string }>(
        'select text_match(given) as match from unnest($1::text[]) with ordinality t (given, n) order by n',
        [texts],
      )
      expect(rows.map(({ match }) => match)).toEqual(texts.map(titleMatch))

      const reference = (fields: object) => JSON.stringify({ type: 'book', ...fields })
      const derived = async (fields: object) => {
        const { rows } = await client.query(
          `insert into documents (filename, reference) values ('', $1) returning ref_type, ref_year, pmid, isbn13, arxiv_id, first_author_match`,
          [reference(fields)],
        )
        return rows[0] as object
      }
      const none = {
        ref_type: 'book',
        ref_year: null,
        pmid: null,
        isbn13: null,
        arxiv_id: null,
        first_author_match: null,
      }
      const year = (parts: unknown) => ({ issued: { 'date-parts': parts } })
      expect(await derived(year([[1999, 3]]))).toEqual({ ...none, ref_year: 1999 })
      expect(await derived(year([['x']]))).toEqual(none)
      expect(await derived({ issued: { literal: 'soon' }, PMID: 'none', ISBN: '12' })).toEqual(none)
      expect(await derived({ PMID: ' 0012345 ' })).toEqual({ ...none, pmid: '12345' })
      for (const ISBN of ['0-306-40615-2', '978-0-306-40615-7 (hbk)', '978 0 306 40615 7', 'ISBN 0306406152; 123'])
        expect(await derived({ ISBN })).toEqual({ ...none, isbn13: '9780306406157' })
      for (const one of [
        { DOI: '10.48550/arXiv.2101.00001' },
        { URL: 'https://arxiv.org/pdf/2101.00001v3' },
        { number: 'arXiv: 2101.00001v1' },
        { archive: 'arXiv', archive_location: '2101.00001' },
      ])
        expect(await derived(one)).toEqual({ ...none, arxiv_id: '2101.00001' })
      for (const id of ['math/0309136', 'math.GT/0309136v2', 'cond-mat.mes-hall/0309136'])
        expect(await derived({ number: `arXiv:${id}` })).toEqual({ ...none, arxiv_id: arxivId(id) })
      expect(await derived({ author: [{ family: 'Núñez' }] })).toEqual({ ...none, first_author_match: 'nunez' })
      expect(await derived({ author: [{ literal: 'The Group' }] })).toEqual({ ...none, first_author_match: 'thegroup' })
    } finally {
      await client.end()
      await end()
    }
  })
})
