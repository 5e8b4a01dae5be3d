import { useEffect } from 'react'
import { messageOf } from './api.ts'
import { toast } from './toasts.tsx'

/** Shows a toast with `title` and the message of `error`, once for each error. Does nothing if `error` is null. */
export function useErrorToast(title: string, error: Error | null): void {
  useEffect(() => {
    if (error) toast({ title, description: messageOf(error), destructive: true })
  }, [title, error])
}
