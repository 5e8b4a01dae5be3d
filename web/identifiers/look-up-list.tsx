import { Link } from '@tanstack/react-router'
import { Ban, Check, Copy, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import { pages } from '#shared/contract/paths.ts'
import { splitName } from '#shared/references/split-name.ts'
import { counted } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { Status } from '#web/ui/status.tsx'
import styles from './identifiers.module.css'
import { countsInWords, type LookUpRow } from './look-up-rows.ts'
import { shortReference } from './short-reference.ts'

interface Props {
  rows: readonly LookUpRow[]
  /** The part of the URL that identifies the project, for links to its papers. */
  address: string
  onChangeLine?: (row: LookUpRow) => void
  onRetry: () => void
}

/**
 * The list of the lines that were entered in a look-up of identifiers. Each line has its state and the title of the found
 * paper.
 */
export function LookUpList({ rows, address, onChangeLine, onRetry }: Props) {
  const failed = rows.filter(({ state }) => state === 'failed').length
  return (
    <section className={styles.list} aria-label="Results">
      <div className={styles.head}>
        <b>{counted(rows.length, 'line')}</b>
        <span role="status">{countsInWords(rows)}</span>
        {failed > 0 ? (
          <Button size="sm" onClick={onRetry}>
            Retry {failed} failed
          </Button>
        ) : null}
      </div>
      <ul>
        {rows.map((row) => (
          <li key={row.at}>
            <span className={styles.identifier}>
              {row.text}
              {row.kind ? <em>{row.kind}</em> : null}
            </span>
            <div className={styles.paper}>
              <Paper row={row} address={address} onChangeLine={onChangeLine} />
            </div>
            <div>
              <State state={row.state} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Paper({ row, address, onChangeLine }: Pick<Props, 'address' | 'onChangeLine'> & { row: LookUpRow }) {
  const { result, state, message } = row
  if (state === 'found' && result?.paper)
    return (
      <>
        <b>
          {result.paper.reference.title} <PaperMarks retracted={result.paper.retracted} />
        </b>
        <span>{shortReference(result.paper.reference)}</span>
        {message ? <span>{message}</span> : null}
      </>
    )
  if (state === 'here' && result?.document) {
    const { id, authors, journal_name, ref_year } = result.document
    return (
      <>
        <b>
          <Link to={pages.document(address, id)}>{documentTitle(result.document)}</Link>
        </b>
        <span>
          {shortReference({
            type: 'article-journal',
            author: authors.map(splitName),
            ...(journal_name ? { 'container-title': journal_name } : {}),
            ...(ref_year ? { issued: { 'date-parts': [[ref_year]] } } : {}),
          })}
        </span>
      </>
    )
  }
  if (state === 'looking')
    return (
      <>
        <Skeleton width="78%" />
        <span>{message}</span>
      </>
    )
  const canChange = onChangeLine && state !== 'failed'
  return (
    <span>
      {message}{' '}
      {canChange ? (
        <button type="button" className="text-link" onClick={() => onChangeLine(row)}>
          Change the line
        </button>
      ) : null}
    </span>
  )
}

const LABELS: Record<Exclude<LookUpRow['state'], 'looking'>, [icon: ReactNode, label: string]> = {
  found: [<Check key="found" aria-hidden />, 'Found'],
  here: [<Copy key="here" aria-hidden />, 'Already here'],
  repeated: [<Copy key="repeated" aria-hidden />, 'Repeated'],
  not_found: [<Ban key="not_found" aria-hidden />, 'Not found'],
  unknown: [<Ban key="unknown" aria-hidden />, 'Not recognized'],
  failed: [<TriangleAlert key="failed" aria-hidden />, 'Failed'],
}

function State({ state }: { state: LookUpRow['state'] }) {
  if (state === 'looking') return <Status word="Processing" label="Looking up" />
  const [icon, label] = LABELS[state]
  return (
    <span className={styles.state} data-state={state}>
      {icon}
      {label}
    </span>
  )
}
