import { importResult } from '#shared/contract/imports.ts'
import { JOB_CANCELLED, type Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { project } from '#shared/contract/projects.ts'
import { one, request } from './api.ts'
import { toast } from './toast-state.ts'
import { grouped } from '#shared/text/numbers.ts'

/**
 * Returns the result of an import in words: the numbers of records that created new papers, that were recognized as duplicates
 * of existing papers ('joined'), and that failed.
 */
export function summaryOfImport(result: Pick<ReturnType<typeof importResult.parse>, 'created' | 'joined' | 'failed'>) {
  return `Imported: ${grouped(result.created)} new, ${grouped(result.joined)} joined with papers you have, ${grouped(result.failed)} failed`
}

/**
 * Shows the result of an ended import job as a toast. Its button 'Details' opens the import, or the list of imports if there
 * are several.
 */
export async function notifyOfImport(job: Job, open: (address: string) => void): Promise<void> {
  const result = importResult.safeParse(job.result).data
  const isCancelled = job.error === JOB_CANCELLED
  if (!result || !job.project_id) {
    if (job.error && !isCancelled) toast({ title: 'Import failed', description: job.error, destructive: true })
    return
  }
  const found = await request(api.project(job.project_id), { schema: one(project) }).catch(() => null)
  const [first] = result.import_ids
  const files = result.filenames.filter((name) => name !== null).join(', ')
  const ended = job.status === 'completed' ? '' : isCancelled ? 'Cancelled. ' : `${job.error} `
  toast({
    title: summaryOfImport(result),
    description: `${ended}${files}`.trim() || undefined,
    destructive: job.status === 'failed' && !isCancelled,
    action:
      found && first
        ? {
            label: 'Details',
            run: () =>
              open(result.import_ids.length > 1 ? pages.imports(found.address) : pages.import(found.address, first)),
          }
        : undefined,
  })
}
