import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation, SentInvitation } from '#shared/contract/invitations.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ROLE_WORDS } from '#shared/contract/roles.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { copyText } from '#web/lib/copy-text.ts'
import { counted, shortDate } from '#web/lib/dates.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { HeadCount, PageHead } from '#web/ui/page.tsx'
import { InvitationLinks } from './invitation-links.tsx'
import styles from './members.module.css'
import { invitationsQuery, useRenewInvitation, useRevokeInvitation } from './invitation-queries.ts'

const DAY_MS = 86_400_000

/** The pending invitations of a project. Renders nothing if there are none. */
export function PendingInvitations({ project }: { project: Project }) {
  const invitations = useQuery(invitationsQuery(project.id))
  const [renewed, setRenewed] = useState<SentInvitation>()
  if (invitations.isLoadingError)
    return (
      <section className={styles.pending}>
        <p>{messageOf(invitations.error)}</p>
        <Button size="sm" onClick={() => void invitations.refetch()}>
          Retry
        </Button>
      </section>
    )
  if (!invitations.data?.length) return null
  return (
    <section className={styles.pending} aria-labelledby="pending-invitations">
      <PageHead>
        <h2 id="pending-invitations">
          Pending invitations<HeadCount>{invitations.data.length}</HeadCount>
        </h2>
      </PageHead>
      <DataTable>
        <thead>
          <tr>
            <th>E-mail</th>
            <th>Role</th>
            <th>Invited by</th>
            <th>Expires</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {invitations.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} onLink={setRenewed} />
          ))}
        </tbody>
      </DataTable>
      <Dialog
        open={renewed !== undefined}
        onOpenChange={() => setRenewed(undefined)}
        title="New link"
        about="The former link no longer works. The new link is not shown again."
      >
        {renewed ? <InvitationLinks sent={[renewed]} onClose={() => setRenewed(undefined)} /> : null}
      </Dialog>
    </section>
  )
}

function InvitationRow({
  invitation: { id, project_id, email, role, invited_by, created_at, expires_at, is_expired },
  onLink,
}: {
  invitation: Invitation
  /** Called with the new link if it could not be copied, to show it. */
  onLink: (sent: SentInvitation) => void
}) {
  const { mail_enabled } = useSite()
  const renewing = useRenewInvitation(project_id)
  const revoking = useRevokeInvitation(project_id)
  const name = email ?? 'Anyone with the link'
  const invitation = email ? `the invitation of ${email}` : 'the invitation by link'
  const renewal = mail_enabled && email ? 'Send again' : 'Copy new link'
  const busy = renewing.isPending || revoking.isPending
  const renew = async () => {
    const sent = await renewing.mutateAsync(id).catch((error: unknown) => {
      toast({ title: 'The invitation could not be renewed', description: messageOf(error), destructive: true })
    })
    if (sent?.is_mailed) toast({ title: 'Invitation sent', description: name })
    else if (sent && !(await copyText(sent.link, 'New link copied'))) onLink(sent)
  }
  const revoke = async () => {
    const about = 'Its link stops working.'
    if (!(await confirm({ title: `Revoke ${invitation}?`, about, action: 'Revoke' }))) return
    await revoking.mutateAsync(id).then(
      () => toast({ title: 'Invitation revoked' }),
      (error: unknown) =>
        toast({ title: 'The invitation could not be revoked', description: messageOf(error), destructive: true }),
    )
  }
  return (
    <tr aria-label={name}>
      <td className={cells.wide}>
        <b>{name}</b>
      </td>
      <td>{ROLE_WORDS[role].label}</td>
      <td className={styles.date}>
        {invited_by ? `${invited_by.name}, ` : ''}
        {shortDate(created_at)}
      </td>
      <td className={styles.date}>
        {is_expired ? endOf(expires_at) : `${counted(daysUntil(expires_at), 'day')} left`}
      </td>
      <td className={cells.end}>
        <Button
          variant="ghost"
          size="sm"
          disabled={busy}
          aria-label={`${renewal} for ${name}`}
          onClick={() => void renew()}
        >
          {renewal}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          disabled={busy}
          aria-label={`Revoke ${invitation}`}
          onClick={() => void revoke()}
        >
          Revoke
        </Button>
      </td>
    </tr>
  )
}

const daysUntil = (time: string) => Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / DAY_MS))

/**
 * Returns why an invitation is invalid: 'Expired' with the date or, if `expiresAt` is in the future, that the sender is not an
 * owner any more.
 */
const endOf = (expiresAt: string) =>
  new Date(expiresAt) > new Date() ? 'Sender is no longer an owner' : `Expired ${shortDate(expiresAt)}`
