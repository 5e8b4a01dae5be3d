import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { PausedUpload, ProjectProgress } from '#shared/contract/processing.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { useMay } from '#web/lib/rights.tsx'
import { RunPanel } from '#web/processing/index.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Progress } from '#web/ui/marks.tsx'
import { endBatch, showBatch, useBatch } from './batch.ts'
import { FailureActions, failureText } from './failure-advice.tsx'
import { cancelRest, pausedUploadsQuery, pauseUpload, progressQuery } from './queries.ts'

/**
 * Shows the progress of the upload that was started in this browser: how many papers are processed, the latest failures with
 * their reasons and next steps, and buttons to pause, cancel and dismiss. The result of an upload without failures disappears
 * after 8 seconds. Below it are the other paused uploads of the project, each with a button to resume it.
 */
export function BatchProgress({
  project,
  onUpload,
}: {
  project: Project
  /** Opens the upload dialog. */
  onUpload: () => void
}) {
  const upload = useBatch(project.id)
  const paused = useQuery({ ...pausedUploadsQuery(project.id), enabled: useFirstAnswers() }).data ?? []
  const others = paused.filter(({ id }) => id !== upload)
  return (
    <>
      {upload === null ? null : <Batch project={project} upload={upload} onUpload={onUpload} />}
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
      status={`${title}: ${statusOf(data).join(' · ')}`}
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

/** Time in ms for which the result of an upload without failures is shown. */
const RESULT_MS = 8_000

function Batch({ project, upload, onUpload }: { project: Project; upload: string; onUpload: () => void }) {
  const { data } = useQuery(progressQuery(project.id, upload))
  const mayEdit = useMay('edit')
  const isComplete = data !== undefined && data.total > 0 && data.ready === data.total
  useEffect(() => {
    if (!isComplete) return
    const timer = setTimeout(() => endBatch(project.id), RESULT_MS)
    return () => clearTimeout(timer)
  }, [isComplete, project.id])
  if (!data || data.total === 0) return null
  const isOver = data.open === 0
  return (
    <RunPanel
      label="Progress of the upload"
      isBad={isOver && data.failed > 0}
      status={<ProgressSentence progress={data} />}
      address={project.address}
      rows={data.failures.map((failure) => ({
        id: failure.document_id,
        title: failure.title,
        words: failureText(failure),
        actions: mayEdit ? <FailureActions failure={failure} address={project.address} onUpload={onUpload} /> : null,
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
      {isOver ? null : <PapersBar {...data} />}
    </RunPanel>
  )
}

/** Maximum number of papers for which the bar has one piece for each paper. */
const MOST_PIECES = 40
const PIECES = {
  ready: 'bg-primary',
  reading: 'bg-linear-to-r from-primary from-50% to-evidence-track to-50%',
  waiting: 'bg-evidence-track',
  failed: 'bg-status-error',
}

/** A progress bar with one piece for each paper of an upload. Above MOST_PIECES papers, it is one piece. */
function PapersBar({ total, ready, open, waiting, failed }: ProjectProgress) {
  if (total > MOST_PIECES) return <Progress value={(100 * (ready + failed)) / total} label="Papers ready" />
  const counts = { ready, reading: open - waiting, waiting: total - ready - failed - (open - waiting), failed }
  return (
    <span
      className="mt-0.5 mb-2 flex h-1 gap-0.75"
      role="progressbar"
      aria-label="Papers ready"
      aria-valuenow={ready}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      {(['ready', 'reading', 'waiting', 'failed'] as const).flatMap((state) =>
        Array.from({ length: counts[state] }, (_, at) => (
          <i key={`${state} ${at}`} className={cn('flex-1', PIECES[state])} />
        )),
      )}
    </span>
  )
}

/** The numbers of papers by state and the estimated time. */
const ProgressSentence = ({ progress }: { progress: ProjectProgress }) => {
  const [ready, ...others] = statusOf(progress)
  return (
    <>
      <b className="font-semibold">{ready}</b>
      {others.length > 0 ? <span className="text-muted-foreground">{` · ${others.join(' · ')}`}</span> : null}
    </>
  )
}

/**
 * Returns the numbers of papers by state and the estimated time: '5 of 10 papers ready', '3 being read, 1 waiting, 1 needs
 * you', 'about 3 minutes left'.
 */
function statusOf({ total, ready, open, waiting, failed, is_paused, seconds_left }: ProjectProgress): string[] {
  const stopped = total - ready - open - failed
  const reading = is_paused ? 0 : open - waiting
  const states = [
    reading > 0 ? `${reading} being read` : '',
    open - reading > 0 ? `${open - reading} waiting` : '',
    failed > 0 ? `${failed} ${failed === 1 ? 'needs' : 'need'} you` : '',
    stopped > 0 ? `${stopped} not processed` : '',
  ]
  return [
    `${ready} of ${counted(total, 'paper')} ready`,
    states.filter(Boolean).join(', '),
    open > 0 && is_paused ? 'paused' : '',
    seconds_left === null ? '' : timeLeft(seconds_left),
  ].filter(Boolean)
}

/** Returns a time in seconds in words, such as 'about 3 minutes left'. */
function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute left'
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `about ${counted(minutes, 'minute')} left`
  return `about ${counted(Math.round(minutes / 60), 'hour')} left`
}
