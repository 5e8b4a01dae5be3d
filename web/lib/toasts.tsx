import { useSyncExternalStore } from 'react'
import { ToastCard, ToastRegion } from '#web/ui/toast.tsx'
import { dismiss, hold, pause, shownToast, subscribe } from './toast-state.ts'

export { dismissNews, toast, type Toast } from './toast-state.ts'

/** Renders the toast. Its live region is always in the page, so that screen readers announce new content. */
export function Toaster() {
  const shown = useSyncExternalStore(subscribe, shownToast)
  return (
    <ToastRegion
      onPointerEnter={pause}
      onPointerLeave={() => shown && hold(shown.id)}
      onFocus={pause}
      onBlur={() => shown && hold(shown.id)}
    >
      {shown?.open ? (
        <ToastCard
          key={shown.id}
          title={shown.title}
          description={shown.description}
          destructive={shown.destructive ?? false}
          action={shown.action}
          onDismiss={() => dismiss(shown.id)}
        />
      ) : null}
    </ToastRegion>
  )
}
