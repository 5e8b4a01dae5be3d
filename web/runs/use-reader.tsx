import type { ReactNode } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { pages } from '#shared/contract/paths.ts'
import type { RunDetails } from '#shared/contract/runs.ts'
import { ReaderPanel, useReaderEntry } from '#web/reader/index.ts'

interface RunReader {
  show: (documentId: string, passage: FoundPassage) => void
  reader: ReactNode
  /** Returns the title of a quoted paper, to show it at the quote; null if all quotes are from one paper. */
  paperOf: (documentId: string) => string | null
}

/**
 * Returns the reader of a page that shows quotes from the papers of a run (a recorded analysis or answer). `reader` is the
 * element to render; null while it is closed. `show` opens the reader at a passage of a paper.
 */
export function useReader(address: string, papers: RunDetails['read_papers']): RunReader {
  const { reading, open, close } = useReaderEntry()
  const titles = new Map(papers.map(({ id, title }) => [id, title]))
  return {
    paperOf: (documentId) => (titles.size > 1 ? (titles.get(documentId) ?? null) : null),
    show: (documentId, passage) => open({ documentId, passage }),
    reader: reading ? (
      <ReaderPanel
        key={reading.documentId}
        documentId={reading.documentId}
        passage={reading.passage}
        paper={{
          title: titles.get(reading.documentId) ?? 'Paper',
          address: pages.document(address, reading.documentId),
          back: 'Back to the values',
        }}
        onClose={close}
      />
    ) : null,
  }
}
