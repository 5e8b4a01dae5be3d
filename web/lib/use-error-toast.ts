import { useEffect } from 'react'
import { messageOf } from './api.ts'
import { toast } from './toasts.tsx'

/** Says once, when it happens, that something could not be loaded. */
export function useErrorToast(title: string, error: Error | null): void {
  useEffect(() => {
    if (error) toast({ title, description: messageOf(error), destructive: true })
  }, [title, error])
}
