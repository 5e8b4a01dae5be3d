import { useState } from 'react'
import type { SentInvitation } from '#shared/contract/invitations.ts'
import { MOST_MEMBERS } from '#shared/contract/invitations.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { InviteForm } from './invite-form.tsx'
import { InvitationLinks } from './invitation-links.tsx'

/**
 * The dialog that invites people to a project by e-mail address or by a link. Links that were not sent by e-mail are shown
 * once.
 */
export function InviteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { mail_enabled } = useSite()
  const [sent, setSent] = useState<readonly SentInvitation[]>([])
  const [isTyped, setIsTyped] = useState(false)
  const leaving = useUnsavedWarning(isTyped)
  const leave = () => leaving.leave(onClose)
  const show = (invitations: readonly SentInvitation[]) => {
    const unsent = invitations.filter(({ is_mailed }) => !is_mailed)
    const mailed = invitations.length - unsent.length
    if (mailed > 0) toast({ title: mailed === 1 ? 'Invitation sent' : `${mailed} invitations sent` })
    leaving.allow()
    if (unsent.length > 0) setSent(unsent)
    else onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={leave}
      title={sent.length > 0 ? 'Invitation links' : 'Invite people'}
      about={
        sent.length === 0
          ? `To ${project.name}, ${project.member_count} of at most ${MOST_MEMBERS} people`
          : `${mail_enabled ? 'No e-mail was sent for these invitations.' : 'This server sends no e-mail.'} Send each link to its reader. It is not shown again.`
      }
    >
      {sent.length > 0 ? (
        <InvitationLinks sent={sent} onClose={onClose} />
      ) : (
        <InviteForm projectId={project.id} onTyped={setIsTyped} onClose={leave} onSent={show} />
      )}
    </Dialog>
  )
}
