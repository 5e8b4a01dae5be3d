import { Link } from '@tanstack/react-router'
import { TriangleAlert, X } from 'lucide-react'
import type { Job } from '#shared/contract/jobs.ts'
import { pages } from '#shared/contract/paths.ts'
import { summaryOfRun } from '#web/lib/run-news.ts'
import { IconButton } from '#web/ui/button.tsx'
import styles from './processing.module.css'
import { TEXT_WARNINGS } from './text-warning.tsx'

/** Summary of the last bulk run: the failed documents with reasons and links. */
export function BulkSummary({ run, projectName, onDismiss }: { run: Job; projectName: string; onDismiss: () => void }) {
  const { isBad, words, failed, warned } = summaryOfRun(run)
  const rows = [
    ...failed.map(({ document_id: id, title, error }) => ({ id, title, words: error })),
    ...warned.map(({ document_id: id, title, warning }) => ({ id, title, words: TEXT_WARNINGS[warning] })),
  ]
  return (
    <section className={styles.bulkSummary} aria-label="Result of the processing" data-bad={isBad || undefined}>
      {isBad ? <TriangleAlert aria-hidden /> : null}
      <div className="min-w-0 flex-1">
        <p role="status">{words}</p>
        {rows.length > 0 ? (
          <ul tabIndex={0} aria-label="Documents that need attention">
            {rows.map(({ id, title, words: why }, at) => (
              <li key={at}>
                <Link className="text-link" to={pages.document(projectName, id)}>
                  {title}
                </Link>
                <span>{why}</span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <IconButton label="Dismiss" onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </section>
  )
}
