import { useNavigate } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { useSignOut } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { DISCARD_QUESTION, hasUnsaved } from '#web/lib/unsaved.ts'

/**
 * Returns a function that signs the user out, shows a toast and opens the sign-in page. It asks for a confirmation if there are
 * unsaved changes.
 */
export function useLogOut(): () => void {
  const navigate = useNavigate()
  const signingOut = useSignOut()
  const logOut = async () => {
    if (hasUnsaved() && !(await confirm(DISCARD_QUESTION))) return
    // mutateAsync, because the menu or palette has unmounted by then and callbacks of `mutate` would not run.
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
