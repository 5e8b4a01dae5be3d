import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ProjectProgress } from '#shared/contract/processing.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { RunPanel } from '#web/processing/index.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Progress } from '#web/ui/marks.tsx'
import { endBatch, useBatchStart } from './batch-start.ts'
import { cancelRest, progressQuery } from './queries.ts'

/** One line for all papers of an upload: how many are ready, and at the end the failed ones with the reason. */
export function BatchProgress({ project }: { project: Project }) {
  const since = useBatchStart(project.id)
  return since === null ? null : <Batch project={project} since={since} />
}

function Batch({ project, since }: { project: Project; since: string }) {
  const { data } = useQuery(progressQuery(project.id, since))
  if (!data || data.total === 0) return null
  const isOver = data.open === 0
  return (
    <RunPanel
      label="Progress of the upload"
      isBad={isOver && data.failed > 0}
      status={`${data.ready} of ${counted(data.total, 'paper')} ready${rest(data)}`}
      projectName={project.name}
      rows={data.failures.map(({ document_id: id, title, message }) => ({
        id,
        title,
        words: `${message} Open the paper to try again.`,
      }))}
      listLabel="Papers that need attention"
      action={
        isOver ? (
          <IconButton label="Dismiss" onClick={() => endBatch(project.id)}>
            <X aria-hidden />
          </IconButton>
        ) : (
          <Button variant="ghost" size="sm" onClick={() => void cancelRest(project.id)}>
            Cancel the rest
          </Button>
        )
      }
    >
      {isOver ? null : <Progress value={(100 * (data.ready + data.failed)) / data.total} label="Papers ready" />}
    </RunPanel>
  )
}

/** Returns what the other papers do, such as '3 being processed, 1 failed'. */
function rest({ total, ready, open, failed }: ProjectProgress): string {
  const stopped = total - ready - open - failed
  const parts = [
    open > 0 ? `${open} being processed` : '',
    failed > 0 ? `${failed} failed` : '',
    stopped > 0 ? `${stopped} not processed` : '',
  ].filter(Boolean)
  return parts.map((part) => ` · ${part}`).join('')
}
