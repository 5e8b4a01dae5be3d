import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LibrarySearch, NotVectorized, SearchFilters } from '#shared/contract/library-search.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** A paper that the test inserts. It has an abstract, or a text, or both. */
interface Paper {
  title: string
  abstract?: string
  text?: string
  year?: number
  keywords?: string[]
  authors?: string[]
  type?: string
}

const NAPS =
  'Afternoon naps improved recall of word pairs after one week. Twenty nurses took part in the trial. The ward was quiet.'
const PAPERS: Paper[] = [
  {
    title: 'Short naps in nurses',
    text: `[Page 1]\nShort naps in nurses\n\n${NAPS}\n\n[Page 2]\nResults\nThe nap group remembered more word pairs than the controls did.`,
    year: 2022,
    keywords: ['Memory', 'naps'],
    authors: ['Ida Adeyo'],
  },
  {
    title: 'Sleep and exercise',
    abstract:
      'Older adults who walked every evening fell asleep faster. The physical activity programme lasted six months.',
    year: 2015,
    keywords: ['ageing'],
    authors: ['Jon Rask'],
  },
  { title: 'Short naps in nurses', abstract: NAPS, year: 2020, keywords: ['memory'] },
  {
    title: 'Bread prices',
    abstract: 'Bread was cheap in every town of the province, and mice were a plague in the granaries.',
    year: 1999,
  },
]

describe.each(['server', 'embedded'] as const)('search over passages in the %s database', (mode) => {
  let server: TestServer
  let ada: Client
  let ben: Client
  let project: string
  beforeAll(async () => {
    server = await startServer({ embedded: mode === 'embedded' })
    ada = await signUp(server.url)
    ben = await signUp(server.url)
    project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
    const ids = []
    for (const paper of PAPERS) ids.push(await insert(project, paper))
    // The background task builds the index of the inserted papers.
    await allIndexed()
    const work = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: ids, steps: ['vectorize'] },
    })
    await ada.job(work.data.id)
  })
  afterAll(() => server.stop())

  const stale = () =>
    inDatabase(server, 'select 1 from indexed_documents where is_stale and created_by = $1', [ada.userId])
  async function allIndexed() {
    for (const until = Date.now() + 150_000; ;) {
      if ((await stale()).length === 0) return
      if (Date.now() > until) throw new Error('The index is not complete after 150 s.')
      await new Promise((resume) => setTimeout(resume, 100))
    }
  }

  async function insert(project: string, { title, abstract, text, year, keywords = [], authors = [], type }: Paper) {
    const id = randomUUID()
    const reference = { id, title, type, ...(year ? { issued: { 'date-parts': [[year]] } } : {}) }
    await inDatabase(
      server,
      `insert into documents (id, created_by, project_id, filename, title, abstract, extracted_text, text_version, keywords, authors, reference)
        values ($1, $2, $3, 'x.pdf', $4, $5, $6, 1, $7, $8, $9)`,
      [id, ada.userId, project, title, abstract ?? null, text ?? null, keywords, authors, reference],
    )
    return id
  }
  const search = (who: Client, params: Parameters<typeof api.search>[0]) => who.json<LibrarySearch>(api.search(params))
  const titles = ({ data }: LibrarySearch) => data.map(({ title }) => title)

  it('A search finds a word that a book and a short paper contain, in a project and among papers without one (LIB-20)', async () => {
    const books = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Books' } })).data.id
    const page = (n: number) => `[Page ${n}]\nChapter ${n} begins.\n\n${`Kestrels hover above field ${n}. `.repeat(40)}`
    const book = await insert(books, {
      title: 'A book on birds',
      text: Array.from({ length: 260 }, (_, index) => page(index + 1)).join('\n\n'),
    })
    const short = await insert(books, {
      title: 'A note on birds',
      text: '[Page 1]\nA kestrel was seen near the river.',
    })
    await allIndexed()
    const rows = `select cardinality(positions) > 200 as is_long from chunk_terms where document_id = $1 and term = 'kestrel'`
    expect(await inDatabase(server, rows, [book])).toEqual([{ is_long: true }])
    expect(await inDatabase(server, rows, [short])).toEqual([{ is_long: false }])
    const found = await search(ada, { q: 'kestrel', project_id: books })
    expect(new Set(titles(found))).toEqual(new Set(['A book on birds', 'A note on birds']))
    await inDatabase(server, 'update documents set project_id = null where id = any($1)', [[book, short]])
    await allIndexed()
    expect(new Set(titles(await search(ada, { q: 'kestrel' })))).toEqual(new Set(titles(found)))
    await inDatabase(server, 'delete from documents where id = any($1)', [[book, short]])
  })

  it('A search finds passages by words and by meaning, and reports which of them matched (LIB-03, LIB-23)', async () => {
    const words = await search(ada, { q: 'remembered pairs', project_id: project })
    expect(words.data[0]).toMatchObject({
      title: 'Short naps in nurses',
      page: 2,
      section: 'Results',
      matched: 'both',
      best_sentence: expect.stringContaining('remembered more word pairs') as string,
      has_file: false,
      project_address: 'Naps',
    })
    const { content, marks, best, evidence } = words.data[0]!
    expect(evidence).toMatchObject({ page: 2, match: 'exact', text_version: 1, quote: words.data[0]!.best_sentence })
    const page = '\nResults\nThe nap group remembered more word pairs than the controls did.'
    expect(page.trim().slice(evidence!.start!, evidence!.end!)).toBe(evidence!.quote)
    expect(marks.map(([start, end]) => content.slice(start, end))).toEqual(['remembered', 'pairs'])
    expect(content.slice(...best)).toBe(words.data[0]!.best_sentence)
    // The abstract of the preprint equals a passage of the paper, and counts once.
    const naps = await search(ada, { q: 'afternoon naps', project_id: project })
    expect(naps.data.filter((hit) => hit.content.includes('Afternoon'))).toHaveLength(1)
    expect(naps.counts).toEqual({ passages: naps.data.length, papers: expect.any(Number) as number })
    // In the list of papers, both papers are listed.
    const papers = await search(ada, { q: 'afternoon naps', project_id: project, kind: 'papers' })
    expect(titles(papers).filter((title) => title === 'Short naps in nurses')).toHaveLength(2)
    expect([papers.count, papers.listed]).toEqual([papers.data.length, papers.data.length])
    expect(papers.counts).toEqual(naps.counts)
    const meaning = await search(ada, { q: 'workout for seniors', project_id: project })
    expect(meaning.data[0]).toMatchObject({ title: 'Sleep and exercise', page: null, matched: 'meaning' })
    expect(words).toMatchObject({ not_vectorized: 0, words_only: null, without: [] })
  })

  it('Phrases, exclusions, prefixes and filters restrict the passages (LIB-04, LIB-25)', async () => {
    const found = async (params: Record<string, string | number | string[]>) =>
      titles(await search(ada, { project_id: project, kind: 'papers', ...params }))
    expect(new Set(await found({ q: '"word pairs"' }))).toEqual(new Set(['Short naps in nurses']))
    expect(await found({ q: '"pairs word"' })).toEqual([])
    expect(await found({ q: 'bread -mice' })).not.toContain('Bread prices')
    expect(await found({ q: 'naps author:rask' })).not.toContain('Short naps in nurses')
    expect(await found({ q: 'author:rask year:2010..2016' })).toEqual(['Sleep and exercise'])
    expect(await found({ q: 'tag:memory' })).toHaveLength(2)
    expect(await found({ q: 'naps', year_from: 2021 })).toEqual(['Short naps in nurses'])
    expect(await found({ q: 'naps', tag: ['MEMORY'], year_to: 2021 })).toEqual(['Short naps in nurses'])
    const empty = await search(ada, {
      project_id: project,
      q: 'naps',
      year_from: 1990,
      year_to: 1991,
      has_file: 'false',
    })
    expect(empty).toMatchObject({ data: [], count: 0, without: [{ filter: 'year' }] })
    for (const [q, message] of [
      ['-mice', 'Add at least one word to look for.'],
      [' ', 'Query cannot be empty'],
      [undefined, 'Query cannot be empty'],
    ]) {
      const rejected = await ada.fetch(api.search({ q, project_id: project }))
      expect([rejected.status, await rejected.json()]).toMatchObject([422, { error: { message } }])
    }
  })

  it('A phrase of function words is found literally (LIB-04)', async () => {
    const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Literal' } })).data
    await insert(id, { title: 'Denied', text: '[Page 1]\nThe drug did not help at all. It did so for no one.' })
    await insert(id, { title: 'Literal', text: '[Page 1]\nCortisol changed\nnot at all in the controls.' })
    await allIndexed()
    const found = await search(ada, { q: '"not at all"', project_id: id })
    expect(found).toMatchObject({ data: [{ title: 'Literal', matched: 'words' }], counts: { passages: 1, papers: 1 } })
    expect(titles(await search(ada, { q: '"not at all"', project_id: id, kind: 'papers' }))).toEqual(['Literal'])
    expect((await search(ada, { q: '"at all not"', project_id: id })).data).toEqual([])
    expect((await search(ada, { q: 'not at all', project_id: id })).data).toEqual([])
  })

  it('A phrase of function words joined by OR with a title adds only the first passage of each paper with the title', async () => {
    const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Either' } })).data
    const page = (number: number) => `[Page ${number}]\n${'Nurses slept between two shifts. '.repeat(40)}`
    await insert(id, { title: 'Naps', text: [1, 2, 3, 4].map(page).join('\n') })
    await insert(id, { title: 'Literal', text: '[Page 1]\nCortisol changed\nnot at all in the controls.' })
    await allIndexed()
    const either = await search(ada, { q: '"not at all" OR title:naps', project_id: id })
    expect(either.counts).toEqual({ passages: 2, papers: 2 })
    expect(new Set(titles(either))).toEqual(new Set(['Literal', 'Naps']))
  })

  it('Prefixes match words without accents, and a word or a prefix joined by OR is enough (LIB-04)', async () => {
    const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Rats' } })).data
    await insert(id, { title: 'Rats in mazes', abstract: 'Rodents ran for food.', authors: ['Jörg Müller'] })
    await insert(id, { title: 'The ratio of gases', abstract: 'Lungs were still.', authors: ['Ann Amuller'] })
    await insert(id, { title: 'Cats', abstract: 'Cats ran for fish.', authors: ['Ida Adeyo'] })
    await insert(id, { title: 'ガイド 2020', abstract: 'A guide was printed.' })
    await allIndexed()
    const found = async (q: string) => new Set(titles(await search(ada, { q, project_id: id, kind: 'papers' })))
    for (const q of ['title:rat', 'title:RATS', 'author:muller', 'author:Müll', 'author:"jorg muller"'])
      expect([q, await found(q)]).toEqual([q, new Set(['Rats in mazes'])])
    expect(await found('title:ガイド')).toEqual(new Set(['ガイド 2020']))
    expect(await found('title:ratio OR fish')).toEqual(new Set(['Cats', 'The ratio of gases']))
    expect(await found('"ran for" title:ratio OR fish')).toEqual(new Set(['Cats']))
    // A phrase joined by OR with a word is still a phrase, and the word matches in any form.
    expect(await found('"ran for" OR lung')).toEqual(new Set(['Cats', 'Rats in mazes', 'The ratio of gases']))
    expect(await found('"for ran" OR guides')).toEqual(new Set(['ガイド 2020']))
    expect(await found('rodent')).toEqual(new Set(['Rats in mazes']))
    expect(await found('ran "rodent"')).toEqual(new Set())
  })

  it('A tag whose lower case differs between PostgreSQL and JavaScript is found (LIB-25)', async () => {
    const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Places' } })).data
    await insert(id, { title: 'Roads', abstract: 'Roads were long.', keywords: ['İstanbul', 'ΟΔΟΣ'] })
    await allIndexed()
    for (const tag of ['İstanbul', 'ΟΔΟΣ'])
      expect([tag, titles(await search(ada, { q: 'roads', project_id: id, tag: [tag] }))]).toEqual([tag, ['Roads']])
    expect(titles(await search(ada, { q: 'tag:ΟΔΟΣ', project_id: id, kind: 'papers' }))).toEqual(['Roads'])
  })

  it('The vectors of a soft-deleted paper do not displace other results by meaning', async () => {
    const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Gym' } })).data
    const gym = await insert(id, { title: 'The gym', abstract: 'A workout for seniors took place in the gym.' })
    const walks = await insert(id, { title: 'Walks', abstract: 'Older adults who walked every evening slept well.' })
    await allIndexed()
    const { data } = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: [gym, walks], steps: ['vectorize'] },
    })
    await ada.job(data.id)
    // More passages than a search by meaning takes from all papers.
    await inDatabase(
      server,
      `insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension, embedding, code)
        select document_id, n, content, page_number, page_offset, is_reference, model, dimension, embedding, code
        from chunks, generate_series(1, 250) n where document_id = $1`,
      [gym],
    )
    await ada.fetch(api.document(gym), { method: 'DELETE' })
    expect(titles(await search(ada, { q: 'exercise of the elderly', project_id: id }))).toEqual(['Walks'])
  })

  it('Another page or another filter of a search does not embed its words again (LIB-21)', async () => {
    const countEmbedded = async () =>
      (await inDatabase(server, "select 1 from ai_calls where user_id = $1 and purpose = 'embedding'", [ada.userId]))
        .length
    const asked = { q: 'memory of nurses after a rest', project_id: project }
    const first = await search(ada, { ...asked, limit: 1 })
    const before = await countEmbedded()
    const second = await search(ada, { ...asked, limit: 1, page: 2 })
    const filtered = await search(ada, { ...asked, year_from: 2021 })
    expect([await countEmbedded(), second.count]).toEqual([before, first.count])
    expect(new Set(filtered.data.map(({ year }) => year))).toEqual(new Set([2022]))
    await search(ada, { ...asked, q: 'recall of nurses after a rest' })
    expect(await countEmbedded()).toBe(before + 1)
  })

  it.each([
    ['Chinese', '我们评估了二甲双胍对患者死亡率的影响，随访五年。', '死亡率', '二甲双胍'],
    ['Japanese', '無作為化比較試験で患者の死亡率が低下したことを報告する。', '患者 死亡率', '無作為化比較'],
    ['Thai', 'การศึกษานี้ประเมินอัตราการตายในผู้ป่วย 120 คน', 'ผู้ป่วย', 'อัตราการตาย'],
  ])('A search finds and marks a word within a sentence in %s (LIB-20)', async (language, abstract, q, excluded) => {
    const id = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: language } })).data.id
    await insert(id, { title: language, abstract })
    await insert(id, { title: 'Other', abstract: '茶。ชา。' })
    await allIndexed()
    const found = await search(ada, { q, project_id: id })
    expect(titles(found)).toEqual([language])
    const { content, marks } = found.data[0]!
    expect(marks.map(([start, end]) => content.slice(start, end)).join(' ')).toContain(q)
    const without = async (word: string) => titles(await search(ada, { q: `${q} -${word}`, project_id: id }))
    expect([await without(excluded), await without(`${excluded}茶`)]).toEqual([[], [language]])
    await inDatabase(server, 'delete from documents where project_id = $1', [id])
  })

  it('A search in another language uses words only, and reports it (LIB-26)', async () => {
    const found = await search(ada, { q: 'der Schlaf und das Lernen bei naps', project_id: project })
    expect(found.words_only).toBe('language')
    expect(titles(found)).toContain('Short naps in nurses')
  })

  it('A search finds only papers of the user and of its scope, and follows the move, the change and the deletion of a paper', async () => {
    expect((await ben.fetch(api.search({ q: 'naps', project_id: project }))).status).toBe(404)
    expect(await search(ben, { q: 'naps' })).toMatchObject({ data: [], count: 0 })
    expect(titles(await search(ada, { q: 'naps', scope: 'mine' }))).toContain('Short naps in nurses')
    expect(await search(ada, { q: 'naps', scope: 'shared' })).toMatchObject({ data: [] })
    const other = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Other' } })).data.id
    const [bread] = await inDatabase(
      server,
      `update documents set project_id = $1 where title = 'Bread prices' returning id`,
      [other],
    )
    expect(titles(await search(ada, { q: 'bread', project_id: project }))).not.toContain('Bread prices')
    expect(titles(await search(ada, { q: 'cheap loaves', project_id: other }))).toEqual(['Bread prices'])
    await inDatabase(server, `update documents set abstract = 'Barley was dear.' where id = $1`, [bread!['id']])
    await allIndexed()
    expect(titles(await search(ada, { q: 'barley', project_id: other }))).toEqual(['Bread prices'])
    expect(await search(ada, { q: 'mice', project_id: other })).toMatchObject({ data: [], not_vectorized: 1 })
    await ada.fetch(api.document(String(bread!['id'])), { method: 'DELETE' })
    expect(await search(ada, { q: 'barley', project_id: other })).toMatchObject({ data: [], not_vectorized: 0 })
  })

  it('The filters of a search have the tags, evidence levels and types of the papers of its scope (LIB-02)', async () => {
    const eve = await signUp(server.url)
    const projectOf = async (who: Client, name: string) =>
      (await who.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
    const [own, other] = [await projectOf(eve, 'Peat'), await projectOf(eve, 'Clay')]
    const [shared, hidden] = [await projectOf(ada, 'Sand'), await projectOf(ada, 'Chalk')]
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      shared,
      eve.userId,
    ])
    await insert(own, { title: 'Peat', keywords: ['bog'], type: 'article-journal' })
    await insert(own, { title: 'Loam', keywords: ['Bog'], type: 'article-journal' })
    await insert(other, { title: 'Samples of clay', keywords: ['clay'], type: 'dataset' })
    await insert(shared, { title: 'Sand', keywords: ['dune'], type: 'webpage' })
    await insert(hidden, { title: 'Chalk', keywords: ['cliff'], type: 'patent' })
    const filters = async (params: { scope?: string; project_id?: string }) => {
      const { data } = await eve.json<{ data: SearchFilters }>(api.searchFilters(params))
      return {
        tags: data.tags.map(({ name, document_count }) => [name, document_count]),
        types: data.types.map(({ type, document_count }) => [type, document_count]),
        levels: data.evidence_levels,
      }
    }
    const [bog, clay, dune] = [
      ['Bog', 2],
      ['clay', 1],
      ['dune', 1],
    ]
    const [article, dataset, webpage] = [
      ['article-journal', 2],
      ['dataset', 1],
      ['webpage', 1],
    ]
    const levels = (document_count: number) => [{ level: 'Unknown', document_count }]
    expect(await filters({ project_id: own })).toEqual({ tags: [bog], types: [article], levels: levels(2) })
    expect(await filters({ project_id: own, scope: 'mine' })).toEqual({
      tags: [bog, clay],
      types: [article, dataset],
      levels: levels(3),
    })
    expect(await filters({ scope: 'shared' })).toEqual({ tags: [dune], types: [webpage], levels: levels(1) })
    expect(await filters({})).toEqual({
      tags: [bog, clay, dune],
      types: [article, dataset, webpage],
      levels: levels(4),
    })
    expect((await eve.fetch(api.searchFilters({ project_id: hidden }))).status).toBe(404)
    expect((await eve.fetch(api.searchFilters({ scope: 'project' }))).status).toBe(422)
  })

  it('The passages that a list leaves out are as many as it reports, and none of them is listed (LIB-03)', async () => {
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Herons' } })
    const filler = 'The river has few bridges and little traffic in the winter months. '.repeat(25)
    const page = (n: number) => `[Page ${n}]\n${n > 4 ? 'Egrets' : 'Herons'} fished at bridge ${n}. ${filler}`
    const paper = await insert(data.id, {
      title: 'Bridges',
      text: Array.from({ length: 9 }, (_, index) => page(index + 1)).join('\n\n'),
    })
    const note = await insert(data.id, { title: 'Herons', text: '[Page 1]\nHerons fished.' })
    await allIndexed()
    const work = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: [paper, note], steps: ['vectorize'] },
    })
    await ada.job(work.data.id)
    for (const kind of ['passages', 'papers']) {
      const asked = { q: 'herons', project_id: data.id, kind }
      const list = await search(ada, asked)
      const ofPaper = list.data.filter(({ document_id }) => document_id === paper)
      const more = ofPaper.at(-1)!.more
      expect([kind, more > 0]).toEqual([kind, true])
      const others = await search(ada, { ...asked, more_of: paper })
      expect([kind, others.count, others.listed, others.data.length]).toEqual([kind, more, more, more])
      const pages = [...ofPaper, ...others.data].map(({ page, start }) => `${page} ${start}`)
      expect(new Set(pages).size).toBe(pages.length)
      expect(others.data.every(({ document_id }) => document_id === paper)).toBe(true)
    }
  })

  it('The index is built in the background with progress and a pause, and a paper is found by words before it is vectorized (LIB-27)', async () => {
    const admin = await signUpAdmin(server)
    const index = async () => (await admin.json<{ data: SystemStatus }>(api.adminSystemStatus())).data.index
    const pause = (is_paused: boolean) => admin.json(api.adminIndex(), { method: 'PUT', body: { is_paused } })
    await pause(true)
    const { data: fields } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Fields' } })
    await insert(fields.id, { title: 'Rye', abstract: 'Rye was sown in autumn on every farm.' })
    expect(await index()).toMatchObject({ waiting: 1, is_paused: true })
    expect(await search(ada, { q: 'rye', project_id: fields.id })).toMatchObject({ data: [], not_vectorized: 1 })
    expect(titles(await search(ada, { q: 'walked', project_id: project }))).toContain('Sleep and exercise')
    await pause(false)
    await allIndexed()
    expect(await index()).toMatchObject({ waiting: 0, is_paused: false })
    expect(await search(ada, { q: 'rye', project_id: fields.id })).toMatchObject({
      data: [{ title: 'Rye', matched: 'words' }],
      not_vectorized: 1,
    })
  })

  // Only a server of PostgreSQL has a second connection that can lock rows.
  it.runIf(mode === 'server' && process.env['TEST_DATABASE_URL'])(
    'A title that is edited while its paper is indexed is found (LIB-27)',
    async () => {
      const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Edited' } })
      const editor = new pg.Client({ connectionString: server.databaseUrl })
      await editor.connect()
      try {
        await inDatabase(
          server,
          'insert into index_pause (id, is_paused) values (1, true) on conflict (id) do update set is_paused = true',
        )
        const id = await insert(data.id, { title: 'Millet' })
        await editor.query('begin')
        await editor.query(`update documents set title = 'Sorghum' where id = $1`, [id])
        await inDatabase(server, 'delete from index_pause')
        await inDatabase(server, `select pg_notify('lectern_index', '')`)
        // The server has read the former title and waits for the row of the paper.
        const waits = `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`
        await expect.poll(() => inDatabase(server, waits), { timeout: 60_000 }).toHaveLength(1)
        await editor.query('commit')
      } finally {
        await editor.end()
      }
      await allIndexed()
      expect(titles(await search(ada, { q: 'sorghum', project_id: data.id }))).toEqual(['Sorghum'])
    },
  )

  it('A PDF without a text counts as not searchable by meaning until it is extracted and vectorized (LIB-05)', async () => {
    const fresh = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Fresh' } })).data.id
    const file = new File([onePagePdf(['Oats were sown in April on every farm.'])], 'oats.pdf')
    const { id } = await ada.upload(fresh, file)
    expect(await search(ada, { q: 'oats', project_id: fresh })).toMatchObject({ data: [], not_vectorized: 1 })
    const path = api.searchNotVectorized({ scope: 'project', project_id: fresh })
    expect((await ada.json<{ data: string[] }>(path)).data).toEqual([id])
    const process = async () => {
      const body = { document_ids: [id], steps: ['extract', 'vectorize'] }
      const { data } = await ada.json<{ data: { id: string } }>(api.documentsProcess(), { body })
      return (await ada.job(data.id)).result
    }
    expect(await process()).toMatchObject({ done: 1, unchanged: 0, failed: [] })
    expect(await search(ada, { q: 'oats', project_id: fresh })).toMatchObject({
      data: [{ document_id: id }],
      not_vectorized: 0,
    })
    expect(await process()).toMatchObject({ done: 0, unchanged: 1 })
    // The vectors of another model are not compared, so the run replaces them.
    await inDatabase(server, `update documents set embedding_model = 'former' where id = $1`, [id])
    expect(await search(ada, { q: 'oats', project_id: fresh })).toMatchObject({ not_vectorized: 1 })
    expect(await process()).toMatchObject({ done: 1, unchanged: 0 })
  })

  it('A viewer reads how many papers have a text, are found by meaning and are retracted, without the papers that only an editor may vectorize (LIB-05)', async () => {
    const { id } = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Barley' } })).data
    await insert(id, { title: 'Barley', abstract: 'Barley was sown in spring.' })
    await insert(id, { title: 'Only a title' })
    const body = { project_id: id, title: 'Hops', authors: ['Ida Adeyo'] }
    const hops = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
    await ada.json(api.document(hops), { method: 'PATCH', body: { abstract: 'Hops grew on every farm.' } })
    const run = await ada.json<{ data: { id: string } }>(api.documentsProcess(), {
      body: { document_ids: [hops], steps: ['vectorize'] },
    })
    expect((await ada.job(run.data.id)).result).toMatchObject({ failed: [] })
    const viewer = await signUp(server.url)
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      id,
      viewer.userId,
    ])
    const read = (client: Client) =>
      client.json<NotVectorized>(api.searchNotVectorized({ scope: 'project', project_id: id }))
    await inDatabase(server, `update documents set retracted = true where id = $1`, [hops])
    const counts = { vectorized: 1, with_text: 2, retracted: 1 }
    expect(await read(ada)).toMatchObject({ count: 1, ...counts })
    expect(await read(viewer)).toEqual({ data: [], count: 0, ...counts })
  })

  // About 30,000 rows are stored.
  it.runIf(IS_LONG_RUN)(
    'A search in 6,000 papers finds a rare word, a phrase and a word of every passage (LIB-03, LIB-04, LIB-20)',
    async () => {
      const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: `Many ${mode}` } })
      // The index is paused, so that it does not replace the stored chunks: the papers have no text.
      await inDatabase(server, 'insert into index_pause (is_paused) values (true)')
      await inDatabase(
        server,
        `with papers as (
           insert into documents (created_by, project_id, filename, title)
           select $1, $2, 'p.pdf', 'Paper ' || n from generate_series(1, 6000) n returning id, created_by, project_id, title
         ), places as (
           select p.*, c.n as position, 'Bread was cheap' || case when title = 'Paper 17' and c.n = 3 then ' for zebrafish.' else '.' end as content
           from papers p cross join generate_series(0, 4) as c(n)
         ), stored as (
           insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension)
           select id, position, content, 1, position * 100, false, 'words-only', 0 from places
         )
         insert into chunk_terms (document_id, created_by, project_id, term, positions, counts, lengths)
         select id, created_by, project_id, t.term, array_agg(position), array_agg(1::smallint), array_agg(3::smallint)
         from places cross join unnest(array['bread', 'cheap', 'zebrafish']) as t(term)
         where t.term <> 'zebrafish' or content like '%zebrafish%' group by id, created_by, project_id, t.term`,
        [ada.userId, data.id],
      )
      await inDatabase(
        server,
        'update indexed_documents set is_stale = false, chunk_count = 5, term_count = 15 where project_id = $1',
        [data.id],
      )
      const search = (q: string) => ada.json<LibrarySearch>(api.search({ q, project_id: data.id }))
      const many = await search('bread')
      expect(many.count).toEqual({ at_least: 1000 })
      expect(many.data).toHaveLength(20)
      const rare = await search('bread zebrafish')
      expect(rare.data[0]).toMatchObject({ title: 'Paper 17' })
      expect(await search('zebrafish')).toMatchObject({ count: 1, data: [{ title: 'Paper 17' }] })
      expect(await search('"cheap for zebrafish"')).toMatchObject({ count: 1, data: [{ title: 'Paper 17' }] })
      const ofPaper = await search('bread title:"Paper 5999"')
      expect(ofPaper.count).toBe(5)
      expect(ofPaper.data.map(({ title }) => title)).toEqual(['Paper 5999', 'Paper 5999', 'Paper 5999'])
    },
    120_000,
  )
})
