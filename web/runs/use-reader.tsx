import { type ReactNode, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { ReaderPanel, useReaderEntry } from '#web/reader/index.ts'

/** The reader of a page with quotes of several papers: `show` opens it at a passage. */
export function useReader(): { show: (documentId: string, passage: FoundPassage) => void; reader: ReactNode } {
  const [shown, setShown] = useState<{ documentId: string; passage: FoundPassage } | null>(null)
  const { isOpen, open, close } = useReaderEntry()
  return {
    show: (documentId, passage) => {
      setShown({ documentId, passage })
      open()
    },
    reader:
      isOpen && shown ? (
        <ReaderPanel key={shown.documentId} documentId={shown.documentId} passage={shown.passage} onClose={close} />
      ) : null,
  }
}
