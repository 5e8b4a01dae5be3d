import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { INVITATION_FOR_ANOTHER } from '#shared/contract/invitations.ts'
import { pages } from '#shared/contract/paths.ts'
import { useSignOut } from '#web/auth/index.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import styles from './invitations.module.css'

/**
 * Shows why an invitation did not open. If the invitation is for another account, a button signs the user out; after the next
 * sign-in, the page with the invitation opens.
 */
export function RefusedInvitation({ error, email, retry }: { error: Error; email: string; retry: () => void }) {
  const message = messageOf(error)
  const isForAnother = message === INVITATION_FOR_ANOTHER
  const isOver = !isForAnother && isFinal(error)
  const signOut = useSignOut()
  const change = () =>
    whenDone(signOut.mutateAsync(), {
      onError: (failure) => toast({ title: 'Error signing out', description: messageOf(failure), destructive: true }),
    })
  return (
    <main className={styles.columns}>
      <section className={styles.offer}>
        <div>
          <p className="mb-2 flex items-center gap-2 text-status-error [&_svg]:size-3.5">
            <TriangleAlert aria-hidden />
            Invitation not opened
          </p>
          <h1>{withoutBreak(message)}</h1>
          {isForAnother ? (
            <p className="mt-3 text-pretty wrap-anywhere text-muted-foreground">
              You are signed in as {email}. Sign in with the invited address, or ask for a new invitation.
            </p>
          ) : null}
          <div className={styles.actions}>
            {isForAnother ? (
              <Button variant="primary" disabled={signOut.isPending} onClick={change}>
                Sign in with another account
              </Button>
            ) : isOver ? null : (
              <Button variant="primary" onClick={retry}>
                Retry
              </Button>
            )}
            <Button variant={isOver ? 'primary' : 'ghost'} asChild>
              <Link to={pages.projects()}>To my projects</Link>
            </Button>
          </div>
        </div>
      </section>
      <aside className="border-l border-border bg-page-desk max-lg:hidden" aria-hidden />
    </main>
  )
}

const isFinal = (error: Error) => error instanceof ApiError && (error.status === 410 || error.status === 403)

/** Prevents a line break at the hyphen of 'e-mail'. */
const withoutBreak = (message: string) =>
  message.split(/(e-mail)/).map((part, at) => (
    <span key={at} className={part === 'e-mail' ? 'whitespace-nowrap' : undefined}>
      {part}
    </span>
  ))
