import { useQuery } from '@tanstack/react-query'
import type { Evaluation } from '#shared/contract/evaluations.ts'
import { modelName } from '#shared/contract/prompts.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { counted, shortDateAndTime } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { cn } from '#web/ui/class-names.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { roundedDollars } from '#web/usage/index.ts'
import { evaluationsQuery } from './queries.ts'

const HEADS = ['Found', 'Right', 'Refused', 'Verified', 'Tokens', 'Cost', 'Seconds'] as const
const COLUMNS = HEADS.length + 1

/** The results of the command `npm run evaluate`, with a row for each evaluated model. */
export function ModelsCompared() {
  const { data, error, isLoadingError, refetch } = useQuery(evaluationsQuery)
  if (isLoadingError)
    return <LoadFailed title="The compared models could not be loaded" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <DataTable aria-busy={!data} aria-label="Models compared">
        <thead>
          <tr>
            <th>Model</th>
            {HEADS.map((head) => (
              <th key={head} className={cells.amount}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data ? null : <LoadingRows columns={COLUMNS} rows={1} />}
          {data?.count === 0 ? (
            <EmptyRow columns={COLUMNS}>
              No model has been evaluated yet. The command is <code>npm run evaluate</code>.
            </EmptyRow>
          ) : null}
          {data?.data.map((result) => (
            <tr key={[result.provider, result.model, result.embedding_model, result.half, result.questions].join(' ')}>
              <td className={cn(cells.wide, cells.text)}>
                <b>{modelName(result.model)}</b>
                <p>{aboutOf(result)}</p>
              </td>
              {figuresOf(result).map((figure, at) => (
                <td key={HEADS[at]} className={cn(cells.amount, 'tabular-nums lining-nums')} data-label={HEADS[at]}>
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </DataTable>
      {data && data.count > 0 ? (
        <p className="text-muted-foreground text-meta mt-2">
          Found: the passage is among the first three. Right: the answer contains the expected words. Refused: questions
          without an answer in the paper; wrongly refused questions in parentheses. Verified: sentences with a passage
          in the paper. Seconds: median of an answer. Compare rows with the same questions only.
        </p>
      ) : null}
    </>
  )
}

const HALVES = { all: '', development: ' of the development half', unseen: ' of the unseen half' } as const

const aboutOf = ({ provider, embedding_model, questions, half, measured_at }: Evaluation) =>
  [
    provider,
    embedding_model ? `vectors of ${embedding_model}` : 'search by words',
    `${counted(questions, 'question')}${HALVES[half]}`,
    shortDateAndTime(measured_at),
  ]
    .filter((part) => part !== null)
    .join(', ')

const percent = (share: number | null) => (share === null ? '—' : `${Math.round(share * 100)} %`)

/** Returns the texts of the cells of a row, in the order of the column headings in HEADS. */
const figuresOf = (result: Evaluation): string[] => [
  percent(result.hit_at_3),
  percent(result.gold_answers),
  `${percent(result.refused)} (${percent(result.wrongly_refused)})`,
  percent(result.sentences === 0 ? null : result.sentences_found / result.sentences),
  grouped(result.tokens_in + result.tokens_out),
  result.cost_usd === null ? 'unknown' : roundedDollars(result.cost_usd),
  result.seconds_per_answer.toFixed(1),
]
