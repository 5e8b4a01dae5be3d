import type { ComponentProps } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { MountOnce } from '#web/lib/mount-once.tsx'
import type { PromptDialog } from './prompt-dialog.tsx'

const Loaded = lazyPart(() => import('./prompt-dialog.tsx').then((file) => file.PromptDialog))

/** The dialog 'Select Prompt' (`PromptDialog`). Its code is loaded when the dialog is first opened. */
export const LazyPromptDialog = (props: ComponentProps<typeof PromptDialog>) => (
  <MountOnce when={props.open}>
    <Loaded {...props} />
  </MountOnce>
)
