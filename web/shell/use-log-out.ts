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
    // A menu or the palette has closed by then, and with it goes whatever hangs on the call to mutate itself.
    void signingOut.mutateAsync().then(
      () => {
        toast({ title: 'Signed out successfully', description: 'You have been signed out of your account.' })
        void navigate({ to: pages.auth() })
      },
      (error: unknown) => toast({ title: 'Error signing out', description: messageOf(error), destructive: true }),
    )
}
