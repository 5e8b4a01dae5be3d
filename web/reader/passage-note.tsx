import { X } from 'lucide-react'
import { useState } from 'react'
import type { FoundPassage } from '#shared/passages.ts'
import type { Marking } from './mark-passage.ts'

const REASON: Partial<Record<Marking['kind'], string>> = {
  'no-text': 'This page has no text layer; the passage reads:',
  'not-found': 'The place could not be marked on this page; the passage reads:',
}

/** What a passage says when its page cannot show it: a scan, or text that the page holds in another form. */
export function PassageNote({ shown }: { shown: { passage: FoundPassage; marking: Marking } | null }) {
  const [dismissed, setDismissed] = useState<FoundPassage | null>(null)
  const reason = shown ? REASON[shown.marking.kind] : undefined
  if (!shown || !reason || dismissed === shown.passage) return null
  return (
    <div className="reader-note" role="status">
      <p>
        <span>{reason}</span> <q>{shown.passage.quote}</q>
      </p>
      <button type="button" className="icon-btn" aria-label="Dismiss" onClick={() => setDismissed(shown.passage)}>
        <X className="ic" aria-hidden="true" />
      </button>
    </div>
  )
}
