import type { Tx } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { addMail } from '#server/mail/mail.ts'
import { INVITATION_DAYS, roleWithArticle } from '#shared/contract/invitations.ts'
import type { ProjectRole } from '#shared/contract/roles.ts'

/**
 * Matches a web or e-mail address in a text, also an IP address or a name without a scheme, because mail programs show them as
 * links. Browsers read the full stops of East Asian scripts in a host name as a dot; between other letters they end a sentence.
 */
const ADDRESS =
  /:\/\/|@|(?:[\p{L}\p{M}-]|[\p{L}\p{N}-]\p{N})\.\p{L}{2}|[A-Za-z\d-][\u3002\uFF0E\uFF61][A-Za-z]{2}|\d{1,3}(?:\.\d{1,3}){3}[/:]/u

/**
 * Returns the text, or `otherwise` if it contains a web or e-mail address: every user can send invitations to strangers, and
 * the server must not send them links to other sites.
 */
const withoutAddress = (text: string | null, otherwise: string) =>
  text !== null && !ADDRESS.test(text) ? text : otherwise

/** Puts the e-mail of an invitation into the outbox. Must run as the database role that owns the tables. */
export function addInvitationMail(
  tx: Tx,
  sent: { email: string; link: string; project: string; inviter: string; role: ProjectRole; message: string | null },
): Promise<void> {
  const inviter = withoutAddress(sent.inviter, 'A user')
  const project = withoutAddress(sent.project, 'a project')
  const message = withoutAddress(sent.message, '')
  return addMail(tx, sent.email, {
    subject: `Invitation to ${project} at ${env.PRODUCT_NAME}`,
    greeting: 'Hello,',
    text: `${inviter} invites you to ${project === sent.project ? `“${project}”` : project} as ${roleWithArticle(sent.role)}.${message ? ` The message is: ${message}` : ''}`,
    link: { label: 'Open the invitation', url: sent.link, seconds: INVITATION_DAYS * 24 * 3600 },
    closing: `The link works once, for ${INVITATION_DAYS} days, for this e-mail address. If you do not expect it, ignore this e-mail.`,
  })
}
