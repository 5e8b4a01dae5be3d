import { csvLine } from '#server/lib/csv-line.ts'
import {
  type ComparedValue,
  hasOnlyOtherQuotes,
  joinParts,
  RUN_KIND_LABELS,
  type Run,
  type RunComparison,
  type RunDetails,
} from '#shared/contract/runs.ts'

/** An exported file for download. */
export interface RunFile {
  name: string
  type: string
  body: string
}

/** The byte order mark (U+FEFF) at the start of a CSV file. Without it, Excel does not read the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

const RUN_HEAD = ['run', 'kind', 'model', 'started_at', 'value', 'paper', 'text', 'document_id', 'text_version']
const PLACE_HEAD = ['page', 'start', 'end', 'match', 'score', 'quote']

/**
 * Returns a run (a recorded analysis or answer) as a JSON file, or its values as a CSV file with a line for each quote and each
 * value without quotes.
 */
export function runFile(run: RunDetails, format: 'json' | 'csv'): RunFile {
  const name = `run-${run.number}`
  if (format === 'json') return jsonFile(name, run)
  const head = [run.number, RUN_KIND_LABELS[run.kind], run.model, run.started_at]
  const titles = titlesOf(run)
  const lines = run.values.flatMap(({ label, of, text, evidence }) =>
    (evidence.length > 0 ? evidence : [null]).map((place) =>
      csvLine([
        ...head,
        label,
        of ?? (place ? (titles.get(place.document_id) ?? null) : null),
        text,
        place?.document_id ?? null,
        place?.text_version ?? null,
        place?.page ?? null,
        place?.start ?? null,
        place?.end ?? null,
        place?.match ?? null,
        place?.score ?? null,
        place?.quote ?? null,
      ]),
    ),
  )
  return csvFile(name, [csvLine([...RUN_HEAD, ...PLACE_HEAD]), ...lines])
}

const titlesOf = ({ read_papers }: Pick<RunDetails, 'read_papers'>) =>
  new Map(read_papers.map(({ id, title }) => [id, title]))

const LIST_HEAD = [
  'run',
  'kind',
  'started_at',
  'ended_at',
  'person',
  'key',
  'title',
  'model',
  'papers',
  'papers_read',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'outcome',
  'stored_from',
]

/** Returns a list of runs (recorded analyses or answers) as a JSON file, or as a CSV file with a line for each run. */
export function runListFile(runs: readonly Run[], format: 'json' | 'csv'): RunFile {
  if (format === 'json') return jsonFile('runs', runs)
  const lines = runs.map((run) =>
    csvLine([
      run.number,
      RUN_KIND_LABELS[run.kind],
      run.started_at,
      run.ended_at,
      run.created_by?.name ?? null,
      run.key_name,
      run.title,
      run.model,
      run.papers,
      run.papers_read,
      run.tokens_in,
      run.tokens_out,
      run.cost_usd,
      run.cached ? 'stored answer' : run.status,
      run.stored_from?.number ?? null,
    ]),
  )
  return csvFile('runs', [csvLine(LIST_HEAD), ...lines])
}

/**
 * Returns a comparison of two runs (recorded analyses or answers) as a JSON file, or as a CSV file with the texts and quotes of
 * both runs.
 */
export function comparisonFile(comparison: RunComparison, format: 'json' | 'csv'): RunFile {
  const { one, other, rows } = comparison
  const name = `runs-${one.number}-and-${other.number}`
  if (format === 'json') return jsonFile(name, comparison)
  const side = (run: Pick<Run, 'number'>) => [`run ${run.number}`, `quotes of run ${run.number}`]
  const titles = new Map([...titlesOf(one), ...titlesOf(other)])
  const papersOf = (values: readonly (ComparedValue | null)[]) => {
    const quotes = values.flatMap((value) => value?.evidence ?? [])
    return [...new Set(quotes.flatMap(({ document_id }) => titles.get(document_id) ?? []))].join('\n')
  }
  const lines = rows.map((row) =>
    csvLine([
      hasOnlyOtherQuotes(row) ? 'equal with other quotes' : STATES[row.state],
      row.label,
      row.of ?? papersOf([row.one, row.other]),
      ...[row.one, row.other].flatMap((value) => [
        value ? joinParts(value.text) : null,
        value ? value.evidence.map(({ quote }) => joinParts(quote)).join('\n') : null,
      ]),
    ]),
  )
  return csvFile(name, [csvLine(['state', 'value', 'paper', ...side(one), ...side(other)]), ...lines])
}

const STATES = { changed: 'changed', 'only one': 'only in A', 'only other': 'only in B', equal: 'equal' } as const

const jsonFile = (name: string, value: object): RunFile => ({
  name: `${name}.json`,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value, null, 2)}\n`,
})

const csvFile = (name: string, lines: readonly string[]): RunFile => ({
  name: `${name}.csv`,
  type: 'text/csv; charset=utf-8',
  body: BYTE_ORDER_MARK + lines.join(''),
})
