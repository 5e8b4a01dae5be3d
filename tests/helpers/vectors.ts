import { inDatabase } from './database.ts'
import type { TestServer } from './server.ts'

const DIMENSION = 384
/** Number of papers that one INSERT statement adds. Their vectors have about 4 MB. */
const PAPERS_AT_ONCE = 20
/** Number of topics of the generated vectors. Each paper is about one topic. */
const TOPICS = 25
const NOISE = 0.6

/** Returns a generator of numbers from -1 to below 1. Equal seeds generate equal numbers. */
function numbers(seed: number): () => number {
  let state = (seed * 2_654_435_761) % 4_294_967_296
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 2_147_483_648 - 1
  }
}

/**
 * Returns a vector of length 1 that is near the vector of the topic `seed % topics`. It can represent a paper or a question
 * about this topic.
 */
export function nearTo(seed: number, topics = TOPICS): Float32Array {
  const [topic, own] = [numbers((seed % topics) + 1), numbers(seed + 1_000_000)]
  const vector = Float32Array.from({ length: DIMENSION }, () => topic() + NOISE * own())
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/** Returns a vector in the text format of pgvector. */
export const vectorText = (vector: Float32Array) => `[${Array.from(vector, (value) => value.toFixed(4)).join(',')}]`

/**
 * Fills a project with `papers` papers, each of which has `chunks` text chunks with vectors of the model 'test'. The first
 * `tagged` papers have the tag 'chosen'.
 */
export async function fillVectors(
  server: TestServer,
  given: { user: string; project: string; papers: number; chunks: number; tagged: number },
): Promise<void> {
  const { user, project, papers, chunks, tagged } = given
  for (let from = 0; from < papers; from += PAPERS_AT_ONCE) {
    const count = Math.min(PAPERS_AT_ONCE, papers - from)
    const vectors = Array.from({ length: count * chunks }, (_, index) =>
      vectorText(nearTo(from + Math.floor(index / chunks) + TOPICS * (index % chunks) * papers)),
    )
    await inDatabase(
      server,
      `with papers as (
         insert into documents (created_by, project_id, filename, title, keywords)
         select $1, $2, 'p.pdf', 'Paper', case when n <= $3 then array['chosen'] else '{}' end
         from generate_series($4::int + 1, $4::int + $5::int) n returning id
       ), numbered as (select id, row_number() over () - 1 as n from papers)
       insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension, embedding)
       select p.id, v.at % $6::int, 'Text', 1, 0, false, 'test', ${DIMENSION}, v.vector::halfvec
       from (select vector, at - 1 as at from unnest($7::text[]) with ordinality as u(vector, at)) v
       join numbered p on p.n = v.at / $6::int`,
      [user, project, tagged, from, count, chunks, vectors],
    )
  }
  await inDatabase(server, 'analyze')
}
