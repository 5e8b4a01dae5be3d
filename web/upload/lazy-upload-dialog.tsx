import type { ComponentProps } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { MountOnce } from '#web/lib/mount-once.tsx'
import type { UploadDialog } from './upload-dialog.tsx'

const Loaded = lazyPart(() => import('./upload-dialog.tsx').then((file) => file.UploadDialog))

/** The component `UploadDialog`. Its code is loaded when the dialog is first opened. */
export const LazyUploadDialog = (props: ComponentProps<typeof UploadDialog>) => (
  <MountOnce when={props.open}>
    <Loaded {...props} />
  </MountOnce>
)
