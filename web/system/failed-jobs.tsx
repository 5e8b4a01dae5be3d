import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FAILED_JOBS_PAGE_SIZE } from '#shared/contract/system.ts'
import type { FailedJob } from '#shared/contract/system.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { JOB_NAMES } from './job-kinds.ts'
import { failedJobsQuery, useDeleteJob, useRetryJob } from './queries.ts'

const ownerOf = ({ owner_email }: FailedJob) => owner_email ?? 'Deleted account'

/** The list of failed jobs. Each can be deleted, or restarted on behalf of the user who started it. */
export function FailedJobs() {
  const [page, setPage] = useState(1)
  const list = useQuery(failedJobsQuery(page))
  const retrying = useRetryJob()
  const deleting = useDeleteJob()
  const retry = (job: FailedJob) =>
    void retrying.mutateAsync(job.id).then(
      () => toast({ title: 'Job started again' }),
      (error: unknown) =>
        toast({ title: 'Failed to start the job again', description: messageOf(error), destructive: true }),
    )
  const remove = async (job: FailedJob) => {
    const sure = await confirm({
      title: 'Delete this failed job?',
      about: `${JOB_NAMES[job.kind]} for ${ownerOf(job)}. The document does not change.`,
      action: 'Delete job',
    })
    if (!sure) return
    await deleting.mutateAsync(job.id).then(
      () => toast({ title: 'Failed job deleted' }),
      (error: unknown) =>
        toast({ title: 'Failed to delete the job', description: messageOf(error), destructive: true }),
    )
  }
  if (list.isLoadingError)
    return (
      <LoadFailed title="The failed jobs could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
    )
  return (
    <>
      <DataTable aria-busy={!list.data}>
        <thead>
          <tr>
            <th>Work</th>
            <th>For</th>
            <th>Failed</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {list.data ? null : <LoadingRows columns={4} rows={1} />}
          {list.data?.count === 0 ? <EmptyRow columns={4}>No job has failed in the last seven days.</EmptyRow> : null}
          {list.data?.data.map((job) => (
            <tr key={job.id}>
              <td className={cn(cells.wide, cells.text)}>
                <b>{JOB_NAMES[job.kind]}</b>
                <p>{job.error}</p>
              </td>
              <td className={cells.text}>{ownerOf(job)}</td>
              <td className="tabular-nums lining-nums">{shortDateAndTime(job.finished_at ?? job.created_at)}</td>
              <td className={cn(cells.end, 'whitespace-nowrap')}>
                {job.owner_email === null ? null : (
                  <Button size="sm" variant="ghost" disabled={retrying.isPending} onClick={() => retry(job)}>
                    Retry
                  </Button>
                )}
                <Button size="sm" variant="ghost" disabled={deleting.isPending} onClick={() => void remove(job)}>
                  Delete
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
      <ListPager list={list} page={page} limit={FAILED_JOBS_PAGE_SIZE} onPage={setPage} />
    </>
  )
}
