import { type ReactNode, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { ReaderPanel } from '#web/reader/index.ts'

/** The reader of a page with quotes of several papers: `show` opens it at a passage. */
export function useReader(): { show: (documentId: string, passage: FoundPassage) => void; reader: ReactNode } {
  const [shown, setShown] = useState<{ documentId: string; passage: FoundPassage } | null>(null)
  return {
    show: (documentId, passage) => setShown({ documentId, passage }),
    reader: shown ? (
      <ReaderPanel
        key={shown.documentId}
        documentId={shown.documentId}
        passage={shown.passage}
        onClose={() => setShown(null)}
      />
    ) : null,
  }
}
