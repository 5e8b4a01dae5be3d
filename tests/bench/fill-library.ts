import type { Client } from 'pg'
import { searchTerms } from '#server/language/search-terms.ts'
import { encodeVector } from '#server/retrieval/vector-code.ts'
import { meanDirection } from '#server/retrieval/mean-direction.ts'
import { vectorText } from '#tests/helpers/vectors.ts'
import { seeded } from '#tests/helpers/random.ts'
import type { RealSentences } from './real-sentences.ts'

export const CHUNKS_OF_PAPER = 50
const SENTENCES_OF_CHUNK = 4
const CHARACTERS_OF_PAGE = 4_000
const PAPERS_AT_ONCE = 20
const VECTORS_AT_ONCE = 500
/**
 * RANGE_OF_PAPER: the chunks of a paper begin within this number of consecutive sentences. RANGE_OF_CHUNK: the sentences of a
 * chunk are chosen from this number of consecutive sentences.
 */
const RANGE_OF_PAPER = 300
const RANGE_OF_CHUNK = 30
const YEARS = 20
/** Secondary indexes that are dropped before the rows are inserted and built at the end, because this is faster. */
const LATE_INDEXES = ['chunk_terms_short', 'chunk_terms_long', 'chunk_sentences_document', 'chunk_sentences_chunk']

/**
 * Fills a project with papers. Each chunk of a paper consists of four real sentences that are near each other in the source
 * text. Its vector is computed from the vectors of these sentences, as on the server. `client`: a superuser's connection, for
 * which triggers are disabled. `hasCodes`: also store vector codes, which the search in the embedded database uses.
 */
export async function fillLibrary(
  client: Client,
  given: { user: string; project: string; chunks: number; real: RealSentences; stored: number; hasCodes: boolean },
): Promise<void> {
  const { chunks, real, stored } = given
  const definitions = await dropIndexes(client)
  await storeSentences(client, real, stored)
  const terms = real.texts.map((text) => searchTerms(text))
  const papers = Math.ceil(chunks / CHUNKS_OF_PAPER)
  for (let from = 0; from < papers; from += PAPERS_AT_ONCE) {
    await client.query('begin; set local session_replication_role = replica')
    await storePapers(client, given, terms, from, Math.min(PAPERS_AT_ONCE, papers - from))
    await client.query('commit')
    if (from % 1_000 === 0) console.error(`  ${from} of ${papers} papers stored`)
  }
  for (const definition of definitions) await client.query(definition)
  await client.query('drop table bench_sentences; analyze')
}

async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    'select indexname as name, indexdef as definition from pg_indexes where indexname = any($1)',
    [LATE_INDEXES],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

async function storeSentences(client: Client, { vectors, dimension }: RealSentences, stored: number): Promise<void> {
  await client.query(`create unlogged table bench_sentences (n int primary key, embedding halfvec(${dimension}))`)
  for (let from = 0; from < stored; from += VECTORS_AT_ONCE) {
    const texts = vectors.slice(from, Math.min(stored, from + VECTORS_AT_ONCE)).map(vectorText)
    await client.query(
      `insert into bench_sentences select $1::int + at - 1, vector::halfvec from unnest($2::text[]) with ordinality as u(vector, at)`,
      [from, texts],
    )
  }
  await client.query('analyze bench_sentences')
}

async function storePapers(
  client: Client,
  given: Parameters<typeof fillLibrary>[1],
  terms: readonly string[][],
  first: number,
  count: number,
): Promise<void> {
  const { user, project, real, stored, hasCodes } = given
  const papers = Array.from({ length: count }, (_, index) => planPaper(first + index, stored))
  const chunks = papers.flatMap(({ id, chunks: own }, paper) =>
    own.map((sentences, position) => ({ id: crypto.randomUUID(), document: id, paper, position, sentences })),
  )
  const rows = papers.flatMap(({ id, chunks: own }) => termRows(id, own, terms))
  const termCounts = papers.map(({ chunks: own }) => own.flat().reduce((sum, n) => sum + terms[n]!.length, 0))
  await client.query(
    `insert into documents (id, created_by, project_id, filename, title, authors, ref_year, extracted_text, vectorized_at, embedding_model)
     select id, $2, $3, 'paper.pdf', title, array['Ann Author', 'Ben Writer'], ${new Date().getFullYear()} - (n % ${YEARS})::int, 'Text', now(), $4
     from unnest($1::uuid[], $5::text[]) with ordinality as u(id, title, n)`,
    [
      papers.map(({ id }) => id),
      user,
      project,
      real.model,
      papers.map((paper) => real.texts[paper.chunks[0]![0]!]!.slice(0, 120)),
    ],
  )
  await client.query(
    `insert into indexed_documents (document_id, created_by, project_id, is_stale, chunk_count, term_count, change)
     select id, $2, $3, false, ${CHUNKS_OF_PAPER}, terms, nextval('indexed_document_changes') from unnest($1::uuid[], $4::int[]) as u(id, terms)`,
    [papers.map(({ id }) => id), user, project, termCounts],
  )
  const vectorOf = (sentences: readonly number[]) => meanDirection(sentences.map((n) => real.vectors[n]!))
  await client.query(
    `insert into chunks (id, document_id, created_by, project_id, position, content, page_number, page_offset, is_reference, model,
       dimension, embedding, code)
     select u.id, u.document, $1, $2, u.position, u.content, 1 + u.position / 4, u.position % 4 * 1000, false, $3, ${real.dimension},
       l2_normalize(a.embedding + b.embedding + c.embedding + d.embedding)::halfvec, decode(u.code, 'hex')
     from unnest($4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::int[], $9::int[], $10::int[], $11::int[], $12::text[])
       as u(id, document, position, content, a, b, c, d, code)
     join bench_sentences a on a.n = u.a join bench_sentences b on b.n = u.b
     join bench_sentences c on c.n = u.c join bench_sentences d on d.n = u.d`,
    [
      user,
      project,
      real.model,
      chunks.map(({ id }) => id),
      chunks.map(({ document }) => document),
      chunks.map(({ position }) => position),
      chunks.map(({ sentences }) => contentOf(sentences, real)),
      ...Array.from({ length: SENTENCES_OF_CHUNK }, (_, at) => chunks.map(({ sentences }) => sentences[at])),
      chunks.map(({ sentences }) => (hasCodes ? encodeVector(vectorOf(sentences)).toString('hex') : null)),
    ],
  )
  const spans = chunks.flatMap(({ id, document, position, sentences }) => {
    let start = (position % (CHARACTERS_OF_PAGE / 1000)) * 1000
    return sentences.map((n) => {
      const span = { id, document, n, start, end: start + real.texts[n]!.length }
      start = span.end + 1
      return span
    })
  })
  await client.query(
    `insert into chunk_sentences (chunk_id, document_id, created_by, project_id, start_offset, end_offset, embedding)
     select u.id, u.document, $1, $2, u.start, u.finish, s.embedding
     from unnest($3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::int[]) as u(id, document, start, finish, n) join bench_sentences s using (n)`,
    [
      user,
      project,
      spans.map(({ id }) => id),
      spans.map(({ document }) => document),
      spans.map(({ start }) => start),
      spans.map(({ end }) => end),
      spans.map(({ n }) => n),
    ],
  )
  await client.query(
    `insert into chunk_terms (document_id, created_by, project_id, term, positions, counts, lengths)
     select id, $1, $2, term, positions::int[], counts::smallint[], lengths::smallint[]
     from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[]) as u(id, term, positions, counts, lengths)`,
    [
      user,
      project,
      rows.map(({ id }) => id),
      rows.map(({ term }) => term),
      rows.map(({ positions }) => `{${positions.join(',')}}`),
      rows.map(({ counts }) => `{${counts.join(',')}}`),
      rows.map(({ lengths }) => `{${lengths.join(',')}}`),
    ],
  )
}

/** Chooses random sentences for the chunks of paper `number` from the `stored` sentences. Returns their indexes. */
function planPaper(number: number, stored: number) {
  const random = seeded(number + 1)
  const below = (limit: number) => Math.floor(random() * limit)
  const base = below(stored)
  const chunks = Array.from({ length: CHUNKS_OF_PAPER }, () => {
    const start = base + below(RANGE_OF_PAPER)
    const chosen = new Set<number>()
    while (chosen.size < SENTENCES_OF_CHUNK) chosen.add((start + below(RANGE_OF_CHUNK)) % stored)
    return [...chosen]
  })
  return { id: crypto.randomUUID(), chunks }
}

const contentOf = (sentences: readonly number[], { texts }: RealSentences) => sentences.map((n) => texts[n]).join(' ')

function termRows(id: string, chunks: readonly (readonly number[])[], terms: readonly string[][]) {
  const rows = new Map<string, { id: string; term: string; positions: number[]; counts: number[]; lengths: number[] }>()
  chunks.forEach((sentences, position) => {
    const all = sentences.flatMap((n) => terms[n]!)
    const counts = new Map<string, number>()
    for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      const row = rows.get(term) ?? { id, term, positions: [], counts: [], lengths: [] }
      rows.set(term, row)
      row.positions.push(position)
      row.counts.push(count)
      row.lengths.push(all.length)
    }
  })
  return [...rows.values()]
}
