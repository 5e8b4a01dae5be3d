import { createFileRoute } from '@tanstack/react-router'
import { JournalPage } from '#web/journals/index.ts'

export const Route = createFileRoute('/admin/journals/$journalId')({ component: OneJournal })

function OneJournal() {
  const { journalId } = Route.useParams()
  return <JournalPage key={journalId} id={journalId} />
}
