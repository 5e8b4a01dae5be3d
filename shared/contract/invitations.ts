import { z } from 'zod'
import { newEmail } from './accounts.ts'
import { projectRole, type ProjectRole } from './roles.ts'

/** Maximum number of members and pending invitations of a project together. */
export const MOST_MEMBERS = 50
/** Maximum number of e-mail addresses in one request that invites people to a project. */
export const MOST_INVITED = 30
/** Lifetime of an invitation in days. */
export const INVITATION_DAYS = 7
export const INVITATION_MESSAGE_MAX = 500

/** An invitation to a project that is neither accepted nor declined. */
export const invitation = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  email: z.string().nullable().describe('null: for anyone with the link'),
  role: projectRole,
  message: z.string().nullable(),
  invited_by: z.object({ user_id: z.string(), name: z.string() }).nullable().describe('null: the account is deleted'),
  created_at: z.string(),
  expires_at: z.string(),
  is_expired: z.boolean(),
})
export type Invitation = z.infer<typeof invitation>

/** A new or renewed invitation. Only the responses that create or renew it contain the link. */
export const sentInvitation = invitation.extend({
  link: z.string(),
  is_mailed: z.boolean().describe('false: this server sends no e-mail, or the address got too many invitations'),
})
export type SentInvitation = z.infer<typeof sentInvitation>

const NO_ADDRESS = 'Enter at least one e-mail address.'
const ADDRESSES_AND_LINK = 'An invitation for anyone with the link has no e-mail address.'
const OWNER_BY_LINK = 'Invite an owner by e-mail address.'

/** Body of POST /api/projects/{id}/invitations. */
export const newInvitations = z
  .object({
    emails: z
      .array(z.string().trim().toLowerCase().pipe(newEmail))
      .max(MOST_INVITED, `Invite at most ${MOST_INVITED} people at once.`)
      .default([]),
    anyone_with_link: z.boolean().default(false).describe('one invitation without an address; then emails is empty'),
    role: projectRole,
    message: z
      .string()
      .trim()
      .max(INVITATION_MESSAGE_MAX, `A message has at most ${INVITATION_MESSAGE_MAX} characters`)
      .nullable()
      .default(null),
  })
  .refine((sent) => sent.anyone_with_link || sent.emails.length > 0, { path: ['emails'], message: NO_ADDRESS })
  .refine((sent) => !sent.anyone_with_link || sent.emails.length === 0, {
    path: ['emails'],
    message: ADDRESSES_AND_LINK,
  })
  .refine((sent) => !sent.anyone_with_link || sent.role !== 'owner', { path: ['role'], message: OWNER_BY_LINK })
export type NewInvitations = z.output<typeof newInvitations>

/** Body of POST /api/invitations/read, accept and decline. */
export const invitationToken = z.object({ token: z.string().min(1).max(200) })

/** An invitation as the page of its link shows it. */
export const openedInvitation = z.object({
  project_id: z.uuid(),
  project_name: z.string(),
  research_question: z.string().nullable(),
  document_count: z.number().int(),
  member_count: z.number().int(),
  invited_by_name: z.string().nullable(),
  role: projectRole,
  message: z.string().nullable(),
})
export type OpenedInvitation = z.infer<typeof openedInvitation>

export const INVITATION_GONE = 'This invitation is no longer valid. Ask for a new one.'
export const INVITATION_FOR_ANOTHER = 'This invitation is for another e-mail address.'
export const ALREADY_MEMBER = 'This person is already in the project.'
export const PROJECT_FULL = `A project can have ${MOST_MEMBERS} people.`

/** Returns the role with its indefinite article: 'an editor'. */
export const roleWithArticle = (role: ProjectRole) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`
