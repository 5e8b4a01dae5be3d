import { ChevronUp, Trash2, X } from 'lucide-react'
import type { Job } from '#shared/contract/jobs.ts'
import type { ProcessStep } from '#shared/contract/processing.ts'
import { useMay } from '#web/lib/rights.tsx'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Progress } from '#web/ui/marks.tsx'
import styles from './documents.module.css'

const ACTIONS: readonly [string, readonly ProcessStep[]][] = [
  ['Extract Text', ['extract']],
  ['Analyze', ['analyze']],
  ['Vectorize', ['vectorize']],
  ['All three', ['extract', 'analyze', 'vectorize']],
]

/** The bar of bulk actions, shown while documents are selected. A running bulk run has its own bar above. */
export function SelectionBar({
  count,
  deleting,
  run,
  onCancel,
  onProcess,
  onCite,
  onCopy,
  onExport,
  onDelete,
  onClear,
}: {
  count: number
  /** Number of documents being deleted. Other actions are disabled meanwhile. */
  deleting: number
  run: Job | undefined
  onCancel: (run: Job) => void
  onProcess: (steps: readonly ProcessStep[]) => void
  onCite: () => void
  onCopy: () => void
  onExport: () => void
  onDelete: () => void
  onClear: () => void
}) {
  const { citations } = useSite()
  const mayEdit = useMay('edit')
  const progress = run ? (
    <div
      className={cn(styles.selectionBar, styles.progressBar)}
      role="region"
      aria-label="Progress"
      data-above={count > 0 || undefined}
    >
      <b role="status">{run.progress_text ?? 'Waiting in the queue'}</b>
      <i className={styles.separator} />
      <Progress value={run.progress} label="Documents done" />
      <Button className={styles.pushed} onClick={() => onCancel(run)}>
        Cancel
      </Button>
    </div>
  ) : null
  if (count === 0) return progress
  return (
    <>
      {progress}
      <div className={styles.selectionBar} role="region" aria-label="Selection">
        <b role="status">{deleting > 0 ? `Deleting ${deleting} …` : `${count} selected`}</b>
        <i className={styles.separator} />
        {mayEdit ? (
          <>
            {ACTIONS.map(([label, steps]) => (
              <Button key={label} className="max-md:hidden" disabled={deleting > 0} onClick={() => onProcess(steps)}>
                {label}
              </Button>
            ))}
            <i className={cn(styles.separator, 'max-md:hidden')} />
          </>
        ) : null}
        <Menu
          side="top"
          trigger={
            <Button className={cn(styles.pushed, 'md:hidden')} disabled={deleting > 0}>
              {mayEdit ? 'Process' : 'Actions'}
              <ChevronUp data-trailing aria-hidden />
            </Button>
          }
        >
          {mayEdit ? (
            <>
              {ACTIONS.map(([label, steps]) => (
                <MenuItem key={label} onSelect={() => onProcess(steps)}>
                  {label}
                </MenuItem>
              ))}
              <MenuSeparator />
            </>
          ) : null}
          {citations ? <MenuItem onSelect={onCite}>Copy citations</MenuItem> : null}
          <MenuItem onSelect={onCopy}>Copy to project…</MenuItem>
          <MenuItem onSelect={onExport}>Export…</MenuItem>
        </Menu>
        {citations ? (
          <Button className="max-md:hidden" disabled={deleting > 0} onClick={onCite}>
            Copy citations
          </Button>
        ) : null}
        <Button className="max-md:hidden" disabled={deleting > 0} onClick={onCopy}>
          Copy to project…
        </Button>
        <Button className="max-md:hidden" disabled={deleting > 0} onClick={onExport}>
          Export…
        </Button>
        {mayEdit ? (
          <Button className={styles.deleteButton} disabled={deleting > 0} onClick={onDelete}>
            <Trash2 aria-hidden />
            Bulk Delete ({count})
          </Button>
        ) : null}
        <Button aria-label="Clear selection" className="px-2" disabled={deleting > 0} onClick={onClear}>
          <X aria-hidden />
        </Button>
      </div>
    </>
  )
}
