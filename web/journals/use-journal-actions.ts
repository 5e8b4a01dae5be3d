import { NO_OPENALEX_ID, OPENALEX_FETCH_FAILED } from '#shared/contract/journals.ts'
import type { ExcludedJournal, Journal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { exclusionOf, useDeleteJournal, useExclude, useInclude, useJournalCall } from './queries.ts'

/**
 * Returns functions for the buttons of a journal: update it from OpenAlex, exclude it or end its exclusion, and delete it. They
 * show confirmations and toasts. `onDeleted` is called after the journal was deleted.
 */
export function useJournalActions(journal: Journal, onDeleted: () => void) {
  const refreshing = useJournalCall(journal.id, api.adminJournalRefresh(journal.id), 'POST')
  const excluding = useExclude()
  const including = useInclude()
  const deleting = useDeleteJournal(journal.id)
  const failed = (title: string) => (error: Error) => toast({ title, description: messageOf(error), destructive: true })

  const refresh = () => {
    if (!journal.openalex_id) return toast({ title: NO_OPENALEX_ID, destructive: true })
    whenDone(refreshing.mutateAsync(), {
      onSuccess: () => toast({ title: 'Journal refreshed from OpenAlex' }),
      onError: (error) => {
        const message = messageOf(error)
        const isOutside = message.startsWith(OPENALEX_FETCH_FAILED)
        // The server's message is the title followed by the reason.
        const reason = isOutside ? message.slice(OPENALEX_FETCH_FAILED.length).replace(/^\.\s*/, '') : message
        const title = isOutside ? OPENALEX_FETCH_FAILED : 'Failed to refresh journal information'
        toast({ title, description: reason || undefined, destructive: true })
      },
    })
  }
  const setExcluded = (entry: ExcludedJournal | undefined) => {
    if (entry)
      return whenDone(including.mutateAsync(entry.id), {
        onSuccess: () => toast({ title: 'Journal removed from exclusion list', description: journal.name }),
        onError: failed('Failed to remove journal from exclusion list'),
      })
    if (!journal.openalex_id) return toast({ title: NO_OPENALEX_ID, destructive: true })
    whenDone(excluding.mutateAsync(exclusionOf(journal)), {
      onSuccess: () => toast({ title: 'Journal excluded', description: journal.name }),
      onError: failed('Failed to exclude journal'),
    })
  }
  const remove = async () => {
    const question = {
      title: 'Are you sure you want to delete this journal? This action cannot be undone.',
      about: journal.name,
      action: 'Delete journal',
    }
    if (!(await confirm(question))) return
    whenDone(deleting.mutateAsync(), {
      onSuccess: () => {
        toast({ title: 'Journal deleted', description: journal.name })
        onDeleted()
      },
      onError: failed('Failed to delete journal'),
    })
  }
  return {
    refresh,
    refreshing: refreshing.isPending,
    setExcluded,
    excluding: excluding.isPending || including.isPending,
    remove,
    deleting: deleting.isPending,
  }
}
