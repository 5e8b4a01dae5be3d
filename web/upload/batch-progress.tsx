import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { PausedUpload, ProjectProgress } from '#shared/contract/processing.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { RunPanel } from '#web/processing/index.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Progress } from '#web/ui/marks.tsx'
import { endBatch, showBatch, useBatch } from './batch.ts'
import { cancelRest, pausedUploadsQuery, pauseUpload, progressQuery } from './queries.ts'

/**
 * Shows the progress of the upload that was started in this browser: how many papers are processed, the latest failures with
 * their reasons, and buttons to pause, cancel and dismiss. Below it are the other paused uploads of the project, each with a
 * button to resume it.
 */
export function BatchProgress({ project }: { project: Project }) {
  const upload = useBatch(project.id)
  const paused = useQuery({ ...pausedUploadsQuery(project.id), enabled: useFirstAnswers() }).data ?? []
  const others = paused.filter(({ id }) => id !== upload)
  return (
    <>
      {upload === null ? null : <Batch project={project} upload={upload} />}
      {others.map((other) => (
        <PausedBatch key={other.id} project={project} upload={other} />
      ))}
    </>
  )
}

/** A paused upload of another member, or of the user in another browser. */
function PausedBatch({ project, upload }: { project: Project; upload: PausedUpload }) {
  const { id, is_own, created_by, may_resume } = upload
  const shown = useBatch(project.id)
  const { data } = useQuery(progressQuery(project.id, id))
  if (!data?.is_paused) return null
  const resume = () => {
    if (is_own && shown === null) showBatch(project.id, id)
    void pauseUpload(id, false)
  }
  const title = is_own ? 'Your upload' : `Upload of ${created_by.name}`
  return (
    <RunPanel
      label={`Paused: ${title}`}
      isBad={false}
      status={`${title}: ${statusOf(data)}`}
      address={project.address}
      rows={[]}
      listLabel="Papers that need attention"
      action={
        may_resume ? (
          <Button variant="ghost" size="sm" onClick={resume}>
            Resume
          </Button>
        ) : null
      }
    />
  )
}

function Batch({ project, upload }: { project: Project; upload: string }) {
  const { data } = useQuery(progressQuery(project.id, upload))
  if (!data || data.total === 0) return null
  const isOver = data.open === 0
  return (
    <RunPanel
      label="Progress of the upload"
      isBad={isOver && data.failed > 0}
      status={statusOf(data)}
      address={project.address}
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
          <div className="flex flex-wrap justify-end gap-1">
            <Button variant="ghost" size="sm" onClick={() => void pauseUpload(upload, !data.is_paused)}>
              {data.is_paused ? 'Resume' : 'Pause'}
            </Button>
            <Button variant="ghost" size="sm" onClick={() => void cancelRest(upload)}>
              Cancel the rest
            </Button>
          </div>
        )
      }
    >
      {isOver ? null : <Progress value={(100 * (data.ready + data.failed)) / data.total} label="Papers ready" />}
    </RunPanel>
  )
}

/**
 * Returns the numbers of papers by state and the estimated time: '8 of 12 papers ready · 3 being processed · 1 failed · about 3
 * minutes left'.
 */
function statusOf({ total, ready, open, failed, is_paused, seconds_left }: ProjectProgress): string {
  const stopped = total - ready - open - failed
  const parts = [
    `${ready} of ${counted(total, 'paper')} ready`,
    open > 0 ? `${open} ${is_paused ? 'waiting' : 'being processed'}` : '',
    failed > 0 ? `${failed} failed` : '',
    stopped > 0 ? `${stopped} not processed` : '',
    open > 0 && is_paused ? 'paused' : '',
    seconds_left === null ? '' : timeLeft(seconds_left),
  ].filter(Boolean)
  return parts.join(' · ')
}

/** Returns a time in seconds in words, such as 'about 3 minutes left'. */
function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute left'
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `about ${counted(minutes, 'minute')} left`
  return `about ${counted(Math.round(minutes / 60), 'hour')} left`
}
