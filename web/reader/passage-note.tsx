import { X } from 'lucide-react'
import { useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { IconButton } from '#web/ui/button.tsx'
import type { Marking } from './mark-passage.ts'
import styles from './reader.module.css'

const REASON: Partial<Record<Marking['kind'], string>> = {
  'no-text': 'This page has no text layer. The passage reads:',
  'not-found': 'The passage could not be highlighted on this page. It reads:',
}

/**
 * Shows the text of a passage that cannot be highlighted on its page, because the page is a scan or has a different text layer.
 */
export function PassageNote({ shown }: { shown: { passage: FoundPassage; marking: Marking } | null }) {
  const [dismissed, setDismissed] = useState<FoundPassage | null>(null)
  const reason = shown ? REASON[shown.marking.kind] : undefined
  if (!shown || !reason || dismissed === shown.passage) return null
  return (
    <div className={styles.note} role="status">
      {/* A long passage scrolls, also by keys. */}
      <p tabIndex={0}>
        <span>{reason}</span> <q>{shown.passage.quote}</q>
      </p>
      <IconButton label="Dismiss" onClick={() => setDismissed(shown.passage)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  )
}
