import { Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import type { PdfReaderProps } from './pdf-reader.tsx'
import type { ReaderPanelProps } from './reader-panel.tsx'
import { ReaderLoading } from './reader-states.tsx'

const Reader = lazyPart(async () => (await import('./pdf-reader.tsx')).PdfReader)
const Panel = lazyPart(async () => (await import('./reader-panel.tsx')).ReaderPanel)

/** The PDF reader. Its code, which includes pdf.js, is loaded only when a page of a PDF is shown. */
export function PdfReader(props: PdfReaderProps) {
  return (
    <Suspense fallback={<ReaderLoading />}>
      <Reader {...props} />
    </Suspense>
  )
}

/** The PDF reader as a panel beside the page. Its code, which includes pdf.js, is loaded only when the panel is shown. */
export function ReaderPanel(props: ReaderPanelProps) {
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  )
}
