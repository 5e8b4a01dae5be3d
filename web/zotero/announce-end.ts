import type { Job } from '#shared/contract/jobs.ts'
import { pages } from '#shared/contract/paths.ts'
import { zoteroResult } from '#shared/contract/zotero.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { finished, JobCancelled } from '#web/lib/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'

/** Shows the counts of an import when it has ended, or its error. `address` is that of the project; `open` opens a page. */
export async function announceEnd(job: Job, address: string, open: (page: string) => void): Promise<void> {
  try {
    const { result } = await finished(job)
    const { import_id, created, joined, failed, updated, removed, not_stored } = zoteroResult.parse(result)
    const more = [
      updated > 0 ? `${counted(updated, 'paper')} updated` : '',
      removed > 0 ? `${counted(removed, 'paper')} removed in Zotero` : '',
      not_stored > 0 ? `${counted(not_stored, 'PDF')} not in Zotero’s storage` : '',
    ].filter(Boolean)
    toast({
      title: `Imported: ${created} new, ${joined} joined with papers you have, ${failed} failed`,
      ...(import_id ? { action: { label: 'Details', run: () => open(pages.import(address, import_id)) } } : {}),
      ...(more.length > 0 ? { description: `${more.join(', ')}.` } : {}),
    })
  } catch (error) {
    if (error instanceof JobCancelled) return
    toast({ title: 'The import from Zotero failed', description: messageOf(error), destructive: true })
  }
}
