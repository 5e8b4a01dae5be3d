import { ChevronUp, Trash2, X } from 'lucide-react'
import type { Job } from '#shared/contract/jobs.ts'
import type { ProcessStep } from '#shared/contract/processing.ts'
import { useMay } from '#web/lib/rights.tsx'
import { useSite } from '#web/lib/site.ts'
import { ActionBar, BarSeparator, pushedClass } from '#web/ui/action-bar.tsx'
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

/**
 * The bar of bulk actions, shown while documents are selected. A separate bar above it shows the progress of a running bulk run
 * (a job that processes several documents).
 */
export function SelectionBar({
  count,
  hidden,
  deleting,
  run,
  onCancel,
  onProcess,
  onAsk,
  onCite,
  onTag,
  onCopy,
  onExport,
  onDelete,
  onClear,
}: {
  count: number
  /** Number of selected documents that the list does not show. */
  hidden: number
  /** Number of documents that are being deleted. While it is not 0, the other actions are disabled. */
  deleting: number
  run: Job | undefined
  onCancel: (run: Job) => void
  onProcess: (steps: readonly ProcessStep[]) => void
  onAsk: () => void
  onCite: () => void
  onTag: () => void
  onCopy: () => void
  onExport: () => void
  onDelete: () => void
  onClear: () => void
}) {
  const { citations } = useSite()
  const mayEdit = useMay('edit')
  const mayAsk = useMay('ask')
  const others: [string, () => void][] = [
    ...(mayAsk ? [['Ask these papers', onAsk] satisfies [string, () => void]] : []),
    ...(citations ? [['Copy citations', onCite] satisfies [string, () => void]] : []),
    ...(mayEdit ? [['Tags…', onTag] satisfies [string, () => void]] : []),
    ['Copy to project…', onCopy],
    ['Export…', onExport],
  ]
  const progress = run ? (
    <ActionBar className={styles.progressBar} aria-label="Progress" data-above={count > 0 || undefined}>
      <b role="status">{run.progress_text ?? 'Waiting in the queue'}</b>
      <BarSeparator />
      <Progress value={run.progress} label="Documents done" />
      <Button className={pushedClass} onClick={() => onCancel(run)}>
        Cancel
      </Button>
    </ActionBar>
  ) : null
  if (count === 0) return progress
  return (
    <>
      {progress}
      <ActionBar aria-label="Selection">
        <b role="status">
          {deleting > 0 ? `Deleting ${deleting} …` : `${count} selected${hidden > 0 ? `, ${hidden} not shown` : ''}`}
        </b>
        <BarSeparator />
        {mayEdit ? (
          <>
            {ACTIONS.map(([label, steps]) => (
              <Button key={label} className="max-lg:hidden" disabled={deleting > 0} onClick={() => onProcess(steps)}>
                {label}
              </Button>
            ))}
            <BarSeparator className="max-lg:hidden" />
          </>
        ) : null}
        <Menu
          side="top"
          trigger={
            <Button className={cn(pushedClass, 'lg:hidden')} disabled={deleting > 0}>
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
          {others.map(([label, act]) => (
            <MenuItem key={label} onSelect={act}>
              {label}
            </MenuItem>
          ))}
        </Menu>
        <Menu
          side="top"
          trigger={
            <Button className="max-lg:hidden xl:hidden" disabled={deleting > 0}>
              More
              <ChevronUp data-trailing aria-hidden />
            </Button>
          }
        >
          {others.map(([label, act]) => (
            <MenuItem key={label} onSelect={act}>
              {label}
            </MenuItem>
          ))}
        </Menu>
        {others.map(([label, act]) => (
          <Button key={label} className="max-xl:hidden" disabled={deleting > 0} onClick={act}>
            {label}
          </Button>
        ))}
        {mayEdit ? (
          <Button className={styles.deleteButton} disabled={deleting > 0} onClick={onDelete}>
            <Trash2 aria-hidden />
            Bulk Delete ({count})
          </Button>
        ) : null}
        <Button aria-label="Clear selection" className="px-2" disabled={deleting > 0} onClick={onClear}>
          <X aria-hidden />
        </Button>
      </ActionBar>
    </>
  )
}
