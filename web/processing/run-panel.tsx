import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { pages } from '#shared/contract/paths.ts'
import styles from './processing.module.css'

/** A document in the list below the status, and the reason why it needs attention. */
interface PanelRow {
  id: string
  title: string
  words: string
  /** Buttons for the next step. */
  actions?: ReactNode
}

/**
 * Shows the progress or the result of work on several documents: a status sentence, the documents that need attention with the
 * reasons, and a button (`action`).
 */
export function RunPanel({
  label,
  isBad,
  status,
  address,
  rows,
  listLabel,
  action,
  children,
}: {
  label: string
  isBad: boolean
  status: ReactNode
  /** The project of the documents. With null, the titles are no links. */
  address: string | null
  rows: readonly PanelRow[]
  listLabel: string
  action: ReactNode
  /** Shown below the status, such as a progress bar. */
  children?: ReactNode
}) {
  return (
    <section className={styles.runPanel} aria-label={label} data-bad={isBad || undefined}>
      {isBad ? <TriangleAlert aria-hidden /> : null}
      <div className="min-w-0 flex-[1_1_14rem]">
        <p role="status">{status}</p>
        {children}
        {rows.length > 0 ? (
          <ul tabIndex={0} aria-label={listLabel}>
            {rows.map(({ id, title, words, actions }, at) => (
              <li key={at}>
                <div className="min-w-0 flex-[1_1_16rem] wrap-anywhere">
                  {address === null ? (
                    title
                  ) : (
                    <Link className="text-link inline-block py-0.5" to={pages.document(address, id)}>
                      {title}
                    </Link>
                  )}{' '}
                  <span className="text-muted-foreground">{words}</span>
                </div>
                {actions}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      {action}
    </section>
  )
}
