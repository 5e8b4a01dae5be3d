import { ChevronUp, Trash2, X } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Progress } from '#web/ui/marks.tsx'
import type { BulkRun, Stage } from './bulk-run.ts'

const ACTIONS: readonly [string, readonly Stage[]][] = [
  ['Extract Text', ['extract']],
  ['Analyze', ['analyze']],
  ['Vectorize', ['vectorize']],
  ['All three', ['extract', 'analyze', 'vectorize']],
]

/** Appears with the first chosen row, and stays while chosen documents are being worked on. */
export function SelectionBar({
  count,
  run,
  onProcess,
  onDelete,
  onClear,
}: {
  count: number
  run: BulkRun | null
  onProcess: (stages: readonly Stage[]) => void
  onDelete: () => void
  onClear: () => void
}) {
  if (run)
    return (
      <div className="selbar" role="region" aria-label="Progress">
        <b role="status">
          {run.doing}: {run.done} of {run.total} done
        </b>
        <i className="bar-sep" />
        <Progress value={(run.done / run.total) * 100} label="Documents done" />
        <Button className="push" onClick={run.cancel}>
          Cancel
        </Button>
      </div>
    )
  if (count === 0) return null
  return (
    <div className="selbar" role="region" aria-label="Selection">
      <b>{count} selected</b>
      <i className="bar-sep" />
      {ACTIONS.map(([label, stages]) => (
        <Button key={label} className="max-md:hidden" onClick={() => onProcess(stages)}>
          {label}
        </Button>
      ))}
      <i className="bar-sep max-md:hidden" />
      <Menu
        side="top"
        trigger={
          <Button className="push md:hidden">
            Process
            <ChevronUp className="ic tail" aria-hidden />
          </Button>
        }
      >
        {ACTIONS.map(([label, stages]) => (
          <MenuItem key={label} onSelect={() => onProcess(stages)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Button className="del" onClick={onDelete}>
        <Trash2 className="ic" aria-hidden />
        Bulk Delete ({count})
      </Button>
      <Button aria-label="Clear selection" className="px-2" onClick={onClear}>
        <X className="ic" aria-hidden />
      </Button>
    </div>
  )
}
