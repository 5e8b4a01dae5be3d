import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Notice } from '#shared/contract/notices.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { IconButton } from '#web/ui/button.tsx'
import { useFocusAfterRemoval } from '#web/ui/focus-after-removal.ts'
import { noticesQuery, useReadNotice } from './queries.ts'

/** Shows the unread notices of the user above the page, each with a button that marks it as read. */
export function NoticeStrip() {
  const { data = [] } = useQuery({ ...noticesQuery, enabled: useFirstAnswers() })
  const reading = useReadNotice()
  const focusProps = useFocusAfterRemoval<HTMLElement>('p')
  if (data.length === 0) return null
  return (
    <section {...focusProps} aria-label="Notices" className="flex-none border-b border-border bg-secondary">
      {data.map((notice) => (
        <p key={notice.id} className="flex items-center justify-between gap-4 px-(--gutter) py-1 wrap-anywhere">
          <span>{textOf(notice)}</span>
          <IconButton
            label="Dismiss"
            disabled={reading.isPending && reading.variables === notice.id}
            onClick={() => reading.mutate(notice.id)}
          >
            <X aria-hidden />
          </IconButton>
        </p>
      ))}
    </section>
  )
}

/** Returns the text of a notice. */
function textOf(notice: Notice): string {
  switch (notice.kind) {
    case 'project_renamed':
      return `Your project “${notice.data.from}” is now “${notice.data.to}”, because the address of the old name is taken.`
    case 'owner_changed':
      return `${notice.data.owner} is now the owner of “${notice.data.project}”.`
    case 'zotero_stopped':
      return `“${notice.data.project}” is no longer synchronized with “${notice.data.library}” in Zotero. ${notice.data.reason}`
  }
}
