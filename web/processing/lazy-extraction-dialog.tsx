import type { ComponentProps } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { MountOnce } from '#web/lib/mount-once.tsx'
import type { ExtractionDialog } from './extraction-dialog.tsx'

const Loaded = lazyPart(() => import('./extraction-dialog.tsx').then((file) => file.ExtractionDialog))

/** The component `ExtractionDialog`. Its code is loaded when the dialog is first opened. */
export const LazyExtractionDialog = (props: ComponentProps<typeof ExtractionDialog>) => (
  <MountOnce when={props.open}>
    <Loaded {...props} />
  </MountOnce>
)
