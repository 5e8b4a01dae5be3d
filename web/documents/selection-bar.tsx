import type { Job } from '#shared/contract/jobs.ts'
import type { ProcessStep } from '#shared/contract/processing.ts'
import { ChevronUp, Trash2, X } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Progress } from '#web/ui/marks.tsx'

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
  onDelete,
  onClear,
}: {
  count: number
  /** Number of documents being deleted. Other actions are disabled meanwhile. */
  deleting: number
  run: Job | undefined
  onCancel: (run: Job) => void
  onProcess: (steps: readonly ProcessStep[]) => void
  onDelete: () => void
  onClear: () => void
}) {
  const progress = run ? (
    <div className="selbar selbar-run" role="region" aria-label="Progress" data-above={count > 0 || undefined}>
      <b role="status">{run.progress_text ?? 'Waiting in the queue'}</b>
      <i className="bar-sep" />
      <Progress value={run.progress} label="Documents done" />
      <Button className="push" onClick={() => onCancel(run)}>
        Cancel
      </Button>
    </div>
  ) : null
  if (count === 0) return progress
  return (
    <>
      {progress}
      <div className="selbar" role="region" aria-label="Selection">
        <b role="status">{deleting > 0 ? `Deleting ${deleting} …` : `${count} selected`}</b>
        <i className="bar-sep" />
        {ACTIONS.map(([label, steps]) => (
          <Button key={label} className="max-md:hidden" disabled={deleting > 0} onClick={() => onProcess(steps)}>
            {label}
          </Button>
        ))}
        <i className="bar-sep max-md:hidden" />
        <Menu
          side="top"
          trigger={
            <Button className="push md:hidden" disabled={deleting > 0}>
              Process
              <ChevronUp className="ic tail" aria-hidden />
            </Button>
          }
        >
          {ACTIONS.map(([label, steps]) => (
            <MenuItem key={label} onSelect={() => onProcess(steps)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
        <Button className="del" disabled={deleting > 0} onClick={onDelete}>
          <Trash2 className="ic" aria-hidden />
          Bulk Delete ({count})
        </Button>
        <Button aria-label="Clear selection" className="px-2" disabled={deleting > 0} onClick={onClear}>
          <X className="ic" aria-hidden />
        </Button>
      </div>
    </>
  )
}
