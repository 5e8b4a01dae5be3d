import { lazy, Suspense } from 'react'
import type { PdfReaderProps } from './pdf-reader.tsx'
import type { ReaderPanelProps } from './reader-panel.tsx'
import { ReaderLoading } from './reader-states.tsx'

const Reader = lazy(async () => ({ default: (await import('./pdf-reader.tsx')).PdfReader }))
const Panel = lazy(async () => ({ default: (await import('./reader-panel.tsx')).ReaderPanel }))

/** The reader in a chunk of its own: nobody fetches pdf.js before they look at a page. */
export function PdfReader(props: PdfReaderProps) {
  return (
    <Suspense fallback={<ReaderLoading />}>
      <Reader {...props} />
    </Suspense>
  )
}

/** The reader as a side sheet, in the same chunk. */
export function ReaderPanel(props: ReaderPanelProps) {
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  )
}
