import { readFile } from 'node:fs/promises'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { normalizeWithMap } from '#shared/passages/find-passage.ts'
import { api } from '#shared/contract/paths.ts'
import { signUp, startServer } from '#tests/helpers/server.ts'
import { paperPath, readMetadataSet, type PaperMetadata } from './question-sets.ts'
import type { BenchRow } from './report.ts'

const FIELDS = ['title', 'authors', 'doi', 'date', 'journal'] as const
type Field = (typeof FIELDS)[number]
const AIMS: Record<Field, string> = {
  title: '≥ 0.950',
  authors: '≥ 0.900',
  doi: '1.000',
  date: '≥ 0.850',
  journal: '≥ 0.900',
}

/**
 * Uploads, extracts and analyzes every paper of tests/bench/questions/metadata.json with the built-in model, and compares the
 * metadata of the document with the true values in that file. If the paper does not print a value, an empty value is correct.
 * BENCH_MISSES=1 lists every wrong value.
 */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer()
  const results: { truth: PaperMetadata; right: Record<Field, boolean> }[] = []
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Metadata' } })
    for (const truth of readMetadataSet()) {
      const bytes = new Uint8Array(await readFile(paperPath(truth.paper)!))
      const file = new File([bytes], `${truth.paper}.pdf`, { type: 'application/pdf' })
      const { id } = await client.upload(data.id, file)
      for (const [path, body] of [
        [api.documentExtract(id), { method: 'text' }],
        [api.documentAnalyze(id), {}],
      ] as const) {
        const started = await client.json<{ data: { id: string } }>(path, { body })
        const job = await client.job(started.data.id)
        if (job.status !== 'completed') throw new Error(`${path}: ${job.error}`)
      }
      const { data: document } = await client.json<{ data: DocumentDetail }>(api.document(id))
      results.push({ truth, right: compare(truth, document) })
    }
  } finally {
    await server.stop()
  }
  return (['unseen', 'development'] as const).flatMap((half) => {
    const papers = results.filter(({ truth }) => truth.half === half)
    if (papers.length === 0) return []
    return FIELDS.map((field) => ({
      what: `${half} half: ${field} right`,
      measured: (papers.filter(({ right }) => right[field]).length / papers.length).toFixed(3),
      peer: '',
      ratio: '',
      aim: AIMS[field],
      note: `${papers.length} invented papers`,
    }))
  })
}

function compare(truth: PaperMetadata, document: DocumentDetail): Record<Field, boolean> {
  const doi = document.doi_link?.replace(/^https?:\/\/doi\.org\//, '').toLowerCase() ?? null
  const right = {
    title: letters(document.title ?? '') === letters(truth.title),
    authors: isSame(document.authors, truth.authors),
    doi: doi === truth.doi,
    date: (document.publication_date ?? null) === truth.published,
    journal:
      truth.journal.length === 0
        ? !document.journal_name
        : truth.journal.some((name) => letters(name) === letters(document.journal_name ?? '')),
  }
  if (process.env['BENCH_MISSES']) {
    const given = { ...document, doi, date: document.publication_date, journal: document.journal_name }
    for (const field of FIELDS.filter((name) => !right[name]))
      console.error(`  ${truth.paper}, ${field}: ${JSON.stringify(given[field])}`)
  }
  return right
}

/** Returns whether the names are all authors in the printed order. A name has the form 'Given Family' or 'Family, Given'. */
const isSame = (names: readonly string[], truth: PaperMetadata['authors']) =>
  names.length === truth.length &&
  truth.every(({ given, family }, at) =>
    [`${given} ${family}`, `${family} ${given}`].some((name) => letters(name) === letters(names[at]!)),
  )

const letters = (text: string) => normalizeWithMap(text).text
