import { useNavigate } from '@tanstack/react-router'
import { pages } from '#shared/paths.ts'
import { useSignOut } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { DISCARD_QUESTION, hasUnsaved } from '#web/lib/unsaved.ts'

/** Asks where something is not saved, ends the session, says so, and goes to the sign-in page. */
export function useLogOut(): () => void {
  const navigate = useNavigate()
  const signingOut = useSignOut()
  const logOut = async () => {
    if (hasUnsaved() && !(await confirm(DISCARD_QUESTION))) return
    // A menu or the palette has closed by then, and with it goes whatever hangs on the call to mutate itself.
    await signingOut.mutateAsync().then(
      () => {
        toast({ title: 'Signed out successfully', description: 'You have been signed out of your account.' })
        void navigate({ to: pages.auth() })
      },
      (error: unknown) => toast({ title: 'Error signing out', description: messageOf(error), destructive: true }),
    )
  }
  return () => void logOut()
}
