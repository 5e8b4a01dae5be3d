export { PdfReader, ReaderPanel } from './lazy-reader.tsx'
export type { PdfReaderProps } from './pdf-reader.tsx'
export type { ReaderPanelProps } from './reader-panel.tsx'
export { ReaderFailure, ReaderLoading } from './reader-states.tsx'
