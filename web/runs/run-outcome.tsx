import type { Run } from '#shared/contract/runs.ts'
import { Status } from '#web/ui/status.tsx'

/**
 * The outcome of a run (a recorded analysis or answer) as an icon and a word. The text is muted if the run was stopped, or if
 * it used the stored output of an earlier run.
 */
export function RunOutcome({ run: { status, cached, error } }: { run: Run }) {
  if (status === 'running') return <Status word="Processing" label="Running" />
  if (status === 'failed') return <Status word="Error" title={error ?? undefined} />
  if (status === 'completed' && !cached) return <Status word="Completed" />
  return (
    <span className="inline-flex items-center gap-1.75 text-meta whitespace-nowrap text-muted-foreground [&_svg]:size-3">
      <svg viewBox="0 0 12 12" aria-hidden fill="none" stroke="currentColor">
        {cached ? (
          <path
            d="M1.8 3.2h8.4M2.6 3.2v6.2h6.8V3.2M4.6 5.4h2.8"
            strokeWidth="1.4"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        ) : (
          <rect x="2.6" y="2.6" width="6.8" height="6.8" rx="1" strokeWidth="1.5" />
        )}
      </svg>
      {cached ? 'Stored answer' : 'Stopped'}
    </span>
  )
}
