import type { Job } from '#shared/contract/jobs.ts'
import { pages } from '#shared/contract/paths.ts'
import { zoteroResult } from '#shared/contract/zotero.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { summaryOfImport } from '#web/lib/import-summary.ts'
import { finished, JobCancelled } from '#web/lib/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'

/**
 * Waits for the end of an import from Zotero and shows its counts or its error as a toast. `address` is the part of the URL
 * that identifies the project. `open` opens a page of the app.
 */
export async function announceEnd(job: Job, address: string, open: (page: string) => void): Promise<void> {
  try {
    const { result } = await finished(job)
    const counts = zoteroResult.parse(result)
    const { import_id, updated, removed, not_stored } = counts
    const more = [
      updated > 0 ? `${counted(updated, 'paper')} updated` : '',
      removed > 0 ? `${counted(removed, 'paper')} removed in Zotero` : '',
      not_stored > 0 ? `${counted(not_stored, 'PDF')} not in Zotero’s storage` : '',
    ].filter(Boolean)
    toast({
      title: summaryOfImport(counts),
      ...(import_id ? { action: { label: 'Details', run: () => open(pages.import(address, import_id)) } } : {}),
      ...(more.length > 0 ? { description: `${more.join(', ')}.` } : {}),
    })
  } catch (error) {
    if (error instanceof JobCancelled) return
    toast({ title: 'The import from Zotero failed', description: messageOf(error), destructive: true })
  }
}
