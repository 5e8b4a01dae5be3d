import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import type { PdfReaderProps } from './pdf-reader.tsx'
import type { ReaderPanelProps } from './reader-panel.tsx'
import { ReaderLoading } from './reader-states.tsx'

const Reader = lazyPart(async () => (await import('./pdf-reader.tsx')).PdfReader)
const Panel = lazyPart(async () => (await import('./reader-panel.tsx')).ReaderPanel)

/** The PDF reader. Its code is in its own chunk, so that pdf.js is loaded only when a page is shown. */
export function PdfReader(props: PdfReaderProps) {
  return (
    <Suspense fallback={<ReaderLoading />}>
      <Reader {...props} />
    </Suspense>
  )
}

/** The reader as a panel beside the page. Its code is in the chunk of the PDF reader. */
export function ReaderPanel(props: ReaderPanelProps) {
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  )
}
