import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { READ_FORMATS, type ReadFormat } from '#shared/contract/reference-formats.ts'
import { watchMemory } from '#tests/hostile/send-file.ts'
import { importForm, importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const BYTES = 40 * 1024 * 1024
/** Maximum memory of the server in MB: one worker of at most 1,536 MB, and the memory of a started server. */
const MEMORY_LIMIT_MB = 2500

/** For each format of references: the parts of a file before and after its very long line. */
const AROUND: Record<ReadFormat, [before: string, after: string]> = {
  bibtex: ['@article{a, title = {Naps}, abstract = {', '}}'],
  ris: ['TY  - JOUR\nTI  - Naps\nAB  - ', '\nER  - '],
  nbib: ['PMID- 1\nTI  - Naps\nAB  - ', ''],
  'pubmed-xml': [
    '<PubmedArticleSet><PubmedArticle><PMID>1</PMID><ArticleTitle>',
    '</ArticleTitle></PubmedArticle></PubmedArticleSet>',
  ],
  'endnote-tagged': ['%0 Journal Article\n%T Naps\n%X ', ''],
  'endnote-xml': ['<xml><records><record><titles><title>', '</title></titles></record></records></xml>'],
  'web-of-science': ['FN Clarivate\nPT J\nTI ', '\nER'],
  'csl-json': ['[{"type":"book","title":"', '"}]'],
  csv: ['title,year\n', ''],
}

const STOPPED = [
  'Reading this file takes too much memory; it was stopped.',
  'Reading this file takes too long; it was stopped.',
]

let server: TestServer
let ada: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
})
afterAll(() => server?.stop())

it('A line of 40 MB in a file of any format results in a record or an error, and the server continues (FMT-28)', async () => {
  const { pid } = server
  const memory = watchMemory(pid)
  const line = 'a'.repeat(BYTES)
  // The import at the end reads RIS.
  for (const format of READ_FORMATS.filter((one) => one !== 'ris')) {
    const [before, after] = AROUND[format]
    const body = importForm({ 'long.txt': before + line + after }, { format })
    const response = await ada.fetch(api.importPreview(), { method: 'POST', body })
    const { data, error } = (await response.json()) as { data?: { count: number }; error?: { message: string } }
    const answer = data ? { status: response.status, count: data.count } : error!.message
    // BibTeX needs more memory or time for its parser.
    expect([{ status: 200, count: 1 }, ...STOPPED.slice(format === 'bibtex' ? 0 : 2)], format).toContainEqual(answer)
  }
  const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Long lines' } })
  const job = await importReferences(ada, data.id, { 'long.ris': AROUND.ris.join(line) })
  expect(job).toMatchObject({ status: 'completed', result: { created: 1, failed: 0 } })
  memory.stop()
  expect(memory.peakMb()).toBeLessThan(MEMORY_LIMIT_MB)
  expect(server.pid).toBe(pid)
})
