import { useEffect } from 'react'
import { messageOf } from './api.ts'
import { toast } from './toasts.tsx'

/** Shows a toast once for each loading error. */
export function useErrorToast(title: string, error: Error | null): void {
  useEffect(() => {
    if (error) toast({ title, description: messageOf(error), destructive: true })
  }, [title, error])
}
