import { useNavigate } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { useSignOut } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'

/** Ends the session, says so, and goes to the sign-in page. */
export function useLogOut(): () => void {
  const navigate = useNavigate()
  const signingOut = useSignOut()
  return () =>
    signingOut.mutate(undefined, {
      onSuccess: () => {
        toast({ title: 'Signed out successfully', description: 'You have been signed out of your account.' })
        void navigate({ to: pages.auth() })
      },
      onError: (error) => toast({ title: 'Error signing out', description: messageOf(error), destructive: true }),
    })
}
