import { type ReactNode, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { pages } from '#shared/contract/paths.ts'
import type { RunDetails } from '#shared/contract/runs.ts'
import { ReaderPanel, useReaderEntry } from '#web/reader/index.ts'

interface RunReader {
  show: (documentId: string, passage: FoundPassage) => void
  reader: ReactNode
}

/** The reader of a page with quotes of the papers of runs: `show` opens it at a passage. */
export function useReader(address: string, papers: RunDetails['read_papers']): RunReader {
  const [shown, setShown] = useState<{ documentId: string; passage: FoundPassage } | null>(null)
  const { isOpen, open, close } = useReaderEntry()
  return {
    show: (documentId, passage) => {
      setShown({ documentId, passage })
      open()
    },
    reader:
      isOpen && shown ? (
        <ReaderPanel
          key={shown.documentId}
          documentId={shown.documentId}
          passage={shown.passage}
          paper={{
            title: papers.find(({ id }) => id === shown.documentId)?.title ?? 'Paper',
            address: pages.document(address, shown.documentId),
            back: 'Back to the values',
          }}
          onClose={close}
        />
      ) : null,
  }
}
