import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type OpenedInvitation, roleWithArticle } from '#shared/contract/invitations.ts'
import { pages } from '#shared/contract/paths.ts'
import type { ProjectRole } from '#shared/contract/roles.ts'
import { useSignOut } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { grouped } from '#shared/text/numbers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Cover } from '#web/ui/cover.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Page } from '#web/ui/page.tsx'
import styles from './invitations.module.css'
import { invitationQuery, useAccept, useDecline } from './queries.ts'
import { RefusedInvitation } from './refused-invitation.tsx'

/** The page that an invitation link opens for a signed-in user. */
export function InvitationPage({ token, email }: { token: string; email: string }) {
  useTitle('Invitation')
  const query = useQuery(invitationQuery(token))
  if (query.data) return <Offer token={token} email={email} invitation={query.data} />
  if (query.error) return <RefusedInvitation error={query.error} email={email} retry={() => void query.refetch()} />
  return (
    <Page>
      <Waiting>Opening the invitation...</Waiting>
    </Page>
  )
}

const MAY: Record<ProjectRole, string> = {
  viewer: 'read and export',
  commenter: 'read and comment',
  reviewer: 'read, comment, screen and extract what is assigned to you, and ask',
  editor: 'read, comment, ask, and change papers, tags and feeds',
  resolver: 'everything that an editor may do, and resolve conflicts',
  owner: 'everything, with the members and the settings of the project',
}

function Offer({ token, email, invitation }: { token: string; email: string; invitation: OpenedInvitation }) {
  const navigate = useNavigate()
  const accept = useAccept(token)
  const decline = useDecline(token)
  const signOut = useSignOut()
  const { project_name, research_question, document_count, member_count, invited_by_name, role, message } = invitation
  const busy = accept.isPending || decline.isPending
  const failed = (error: Error) =>
    toast({ title: 'Invitation not opened', description: messageOf(error), destructive: true })
  const join = () =>
    whenDone(accept.mutateAsync(), {
      onError: failed,
      onSuccess: (project) => {
        toast({ title: 'Invitation accepted', description: `You are a member of “${project.name}” now.` })
        void navigate({ to: pages.overview(project.address) })
      },
    })
  const refuse = () =>
    whenDone(decline.mutateAsync(), {
      onError: failed,
      onSuccess: () => {
        toast({ title: 'Invitation declined' })
        void navigate({ to: pages.projects() })
      },
    })
  return (
    <main className={styles.columns}>
      <section className={styles.offer}>
        <div>
          <h1>
            {invited_by_name ?? 'An owner'} invites you to “{project_name}” as {roleWithArticle(role)}
          </h1>
          {research_question ? (
            <p className="mt-3 font-serif text-xl leading-7.5 text-pretty italic wrap-anywhere">{research_question}</p>
          ) : null}
          <dl className={styles.facts}>
            <div>
              <dt>Your role</dt>
              <dd>
                {role.charAt(0).toUpperCase() + role.slice(1)}: {MAY[role]}
              </dd>
            </div>
            <div>
              <dt>Project</dt>
              <dd>
                {counted(document_count, 'paper', 'papers')}, {counted(member_count, 'person', 'people')}
              </dd>
            </div>
            {message ? (
              <div>
                <dt>Message</dt>
                <dd className={styles.message}>{message}</dd>
              </div>
            ) : null}
          </dl>
          <div className={styles.actions}>
            <Button variant="primary" disabled={busy} onClick={join}>
              {accept.isPending ? 'Accepting...' : 'Accept'}
            </Button>
            <Button variant="ghost" disabled={busy} onClick={refuse}>
              Decline
            </Button>
          </div>
          <p className="mt-4 text-meta wrap-anywhere text-muted-foreground">
            Signed in as {email}.{' '}
            <button type="button" className="text-link" onClick={() => signOut.mutate()}>
              Not you?
            </button>
          </p>
        </div>
      </section>
      <aside className={styles.cover} aria-hidden>
        <Cover name={project_name} shape="tall" />
      </aside>
    </main>
  )
}

const counted = (count: number, one: string, many: string) => `${grouped(count)} ${count === 1 ? one : many}`
