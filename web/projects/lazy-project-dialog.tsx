import { type ComponentProps, Suspense, useState } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import type { ProjectDialog } from './project-dialog.tsx'

const Loaded = lazyPart(() => import('./project-dialog.tsx').then((file) => file.ProjectDialog))

/** `ProjectDialog`, whose chunk is fetched when it is first opened. */
export function LazyProjectDialog(props: ComponentProps<typeof ProjectDialog>) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen ? (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  ) : null
}
