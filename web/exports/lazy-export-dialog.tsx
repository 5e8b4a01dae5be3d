import { type ComponentProps, Suspense } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import type { ExportDialog } from './export-dialog.tsx'

const Loaded = lazyPart(() => import('./export-dialog.tsx').then((file) => file.ExportDialog))

/** The component `ExportDialog`. Its code is loaded when the dialog is first shown. */
export const LazyExportDialog = (props: ComponentProps<typeof ExportDialog>) => (
  <Suspense>
    <Loaded {...props} />
  </Suspense>
)
