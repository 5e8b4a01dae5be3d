import type { ComponentProps } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { MountOnce } from '#web/lib/mount-once.tsx'
import type { ProjectDialog } from './project-dialog.tsx'

const Loaded = lazyPart(() => import('./project-dialog.tsx').then((file) => file.ProjectDialog))

/** The component `ProjectDialog`. Its code is loaded when the dialog is first opened. */
export const LazyProjectDialog = (props: ComponentProps<typeof ProjectDialog>) => (
  <MountOnce when={props.open}>
    <Loaded {...props} />
  </MountOnce>
)
