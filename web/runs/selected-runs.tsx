import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { api, pages } from '#shared/contract/paths.ts'
import { DIFFERENT_KINDS, MOST_CHOSEN_RUNS, type Run } from '#shared/contract/runs.ts'
import { ActionBar, BarSeparator, pushedClass } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { ExportMenu } from './export-menu.tsx'

/**
 * The bar for the selected runs (recorded analyses or answers). It compares two runs side by side. It exports a run with its
 * values, the comparison of two runs of one kind, or else a list of the selected runs.
 */
export function SelectedRuns({
  address,
  runs,
  onClear,
}: {
  address: string
  runs: readonly Run[]
  onClear: () => void
}) {
  // The older run is A.
  const [one, other, third] = runs.toSorted((first, second) => first.number - second.number)
  const pair = one && other && !third && one.kind === other.kind ? { one: one.id, other: other.id } : null
  return (
    <ActionBar aria-label="Selection">
      <b role="status">{runs.length} selected</b>
      <BarSeparator />
      {pair ? (
        <Button asChild className={pushedClass}>
          <Link to={pages.runComparison(address, pair.one, pair.other)}>Compare</Link>
        </Button>
      ) : (
        <Tooltip text={DIFFERENT_KINDS}>
          <Button aria-disabled className={pushedClass}>
            Compare
          </Button>
        </Tooltip>
      )}
      {runs.length <= MOST_CHOSEN_RUNS ? (
        <ExportMenu
          side="top"
          addressOf={(format) =>
            pair
              ? api.runComparisonExport(pair.one, pair.other, format)
              : other
                ? api.runsExport(other.project_id, { id: runs.map(({ id }) => id), format })
                : api.runExport(one!.id, format)
          }
          trigger={<Button>Export</Button>}
        />
      ) : null}
      <Button aria-label="Clear selection" className="px-2" onClick={onClear}>
        <X aria-hidden />
      </Button>
    </ActionBar>
  )
}
