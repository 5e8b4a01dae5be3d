import type { Evaluation } from '#shared/contract/evaluations.ts'
import { modelName } from '#shared/contract/prompts.ts'

const MEASURES: readonly (readonly [string, (result: Evaluation) => string])[] = [
  ['vectors of', ({ embedding_model }) => embedding_model ?? 'none'],
  ['questions (without an answer)', ({ questions, unanswerable }) => `${questions} (${unanswerable})`],
  ['hit@3', ({ hit_at_3 }) => figure(hit_at_3)],
  ['answers with the gold words', ({ gold_answers }) => figure(gold_answers)],
  ['unanswerable questions refused', ({ refused }) => figure(refused)],
  ['answerable questions refused', ({ wrongly_refused }) => figure(wrongly_refused)],
  ['sentences found in the paper', ({ sentences, sentences_found }) => `${sentences_found} of ${sentences}`],
  ['tokens in, out', ({ tokens_in, tokens_out }) => `${tokens_in}, ${tokens_out}`],
  ['cost in dollars', ({ cost_usd }) => (cost_usd === null ? 'unknown' : cost_usd.toFixed(4))],
  ['seconds an answer, median', ({ seconds_per_answer }) => seconds_per_answer.toFixed(2)],
  ['seconds of the run', ({ seconds }) => seconds.toFixed(0)],
]

const figure = (share: number | null) => (share === null ? 'none' : share.toFixed(3))

/** Prints a row for each measure and a column for each result to standard output, as a Markdown table. */
export function printTable(results: readonly Evaluation[]): void {
  const rows = [
    ['measure', ...results.map(({ model }) => modelName(model))],
    ...MEASURES.map(([name, read]) => [name, ...results.map(read)]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  console.log(`\n${lines.join('\n')}`)
}
