import { Link } from '@tanstack/react-router'
import { ArrowDown } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { type Run, RUN_KIND_LABELS } from '#shared/contract/runs.ts'
import { useSession } from '#web/auth/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cn } from '#web/ui/class-names.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { Unbroken } from '#web/ui/unbroken.tsx'
import { RunOutcome } from './run-outcome.tsx'
import styles from './runs.module.css'
import { costOf, modelOf, starterOf } from './words.ts'

/** Matches the title of a run (a recorded analysis or answer) that is a file name, because its paper has no title. */
const FILE = /^\S+\.pdf$/i

/** The table of the runs (recorded analyses or answers) of a project. Below 768 px, each row is a card. */
export function RunsTable({
  address,
  rows,
  chosen,
  onChoose,
}: {
  address: string
  rows: readonly Run[] | undefined
  chosen: ReadonlyMap<string, Run>
  onChoose: (run: Run, isChosen: boolean) => void
}) {
  const { session } = useSession()
  return (
    <DataTable className={styles.runs} aria-busy={rows === undefined}>
      <thead>
        <tr>
          <th className={styles.checkCell}>
            <span className="sr-only">Selection</span>
          </th>
          <th className={styles.whenCell} aria-sort="descending">
            <span className="inline-flex items-center gap-1">
              When
              <ArrowDown aria-hidden />
            </span>
          </th>
          <th className={styles.whoCell}>Who</th>
          <th>What</th>
          <th className={styles.modelCell}>Model</th>
          <th className={cn(styles.numberCell, styles.papersCell)}>Papers</th>
          <th className={cn(styles.numberCell, styles.tokensCell)}>Tokens</th>
          <th className={cn(styles.numberCell, styles.costCell)}>Cost</th>
          <th className={styles.outcomeCell}>Outcome</th>
        </tr>
      </thead>
      <tbody>
        {rows === undefined
          ? ['62%', '48%', '70%', '55%', '66%'].map((width) => (
              <tr key={width}>
                <td className={styles.titleCell} colSpan={9}>
                  <Skeleton width={width} />
                </td>
              </tr>
            ))
          : null}
        {rows?.map((run) => {
          const when = shortDateAndTime(run.started_at)
          return (
            <tr key={run.id} data-selected={chosen.has(run.id) || undefined}>
              <td className={styles.checkCell}>
                <Checkbox
                  label={`Select run ${run.number} of ${when}`}
                  checked={chosen.has(run.id)}
                  onChange={(next) => onChoose(run, next)}
                />
              </td>
              <td className={styles.whenCell}>{when}</td>
              <td className={styles.whoCell}>{starterOf(run, session?.user.id)}</td>
              <td className={styles.titleCell}>
                <Link to={pages.run(address, run.id)} className={FILE.test(run.title) ? styles.fileName : undefined}>
                  <Unbroken text={run.title} />
                </Link>
                <span>
                  {RUN_KIND_LABELS[run.kind]}
                  {run.is_private ? ', only you see it' : ''}
                </span>
              </td>
              <td className={styles.modelCell} title={modelOf(run)}>
                {run.model === BUILT_IN_MODEL.id ? 'Built-in' : modelOf(run)}
              </td>
              <td className={cn(styles.numberCell, styles.papersCell)}>{grouped(run.papers)}</td>
              <td className={cn(styles.numberCell, styles.tokensCell)}>{grouped(run.tokens_in + run.tokens_out)}</td>
              <td className={cn(styles.numberCell, styles.costCell)}>{costOf(run)}</td>
              <td className={styles.outcomeCell}>
                <RunOutcome run={run} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </DataTable>
  )
}
