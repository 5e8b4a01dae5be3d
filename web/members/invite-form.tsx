import { useId, useLayoutEffect, useState } from 'react'
import { newEmail } from '#shared/contract/accounts.ts'
import { INVITATION_DAYS, INVITATION_MESSAGE_MAX, type SentInvitation } from '#shared/contract/invitations.ts'
import type { ProjectRole } from '#shared/contract/roles.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { useSite } from '#web/lib/site.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Field, FieldError, Textarea } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { useInvite } from './invitation-queries.ts'
import { ROLE_OPTIONS } from './role-options.ts'

const SEPARATOR = /[\s,;]+/
/** Returns the error message for the user. If the server refused an e-mail address, the message contains this address. */
const reasonOf = (error: Error) => (error instanceof ApiError && error.fields.emails) || messageOf(error)
const isAddress = (text: string) => newEmail.safeParse(text).success

/**
 * The form for new invitations: e-mail addresses, role and message, or a link for anyone. Calls `onTyped` with true when the
 * form has addresses or a message, and with false when it has none or sends them.
 */
export function InviteForm({
  projectId,
  onTyped,
  onClose,
  onSent,
}: {
  projectId: string
  onTyped: (isTyped: boolean) => void
  onClose: () => void
  onSent: (sent: readonly SentInvitation[]) => void
}) {
  const { mail_enabled } = useSite()
  const [emails, setEmails] = useState<string[]>([])
  const [draft, setDraft] = useState('')
  const [role, setRole] = useState<ProjectRole>('reviewer')
  const [message, setMessage] = useState('')
  const [byLink, setByLink] = useState(false)
  const [failure, setFailure] = useState<string>()
  const inviting = useInvite(projectId)
  const linkId = useId()
  const isTyped = !inviting.isPending && (emails.length > 0 || draft.trim() !== '' || message.trim() !== '')
  // Before the next event: Escape directly after a key asks as well.
  useLayoutEffect(() => onTyped(isTyped), [isTyped, onTyped])
  const wrong = emails.filter((email) => !isAddress(email))
  const error = wrong.length > 0 ? `Not an e-mail address: ${wrong.join(', ')}` : undefined
  const submit = () => {
    if (!byLink && emails.length === 0) return setFailure('Enter at least one e-mail address.')
    setFailure(undefined)
    whenDone(
      inviting.mutateAsync({
        emails: byLink ? [] : emails,
        anyone_with_link: byLink,
        role,
        message: message.trim() || null,
      }),
      { onSuccess: onSent, onError: (refusal) => setFailure(reasonOf(refusal)) },
    )
  }
  return (
    <form
      className="mt-4.5 grid grid-cols-1 gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {byLink ? null : (
        <Field label="E-mail addresses" hint="Several addresses can be pasted as a list." error={error}>
          {(ids) => (
            <ChipInput
              ids={ids}
              values={emails}
              onChange={setEmails}
              onDraft={setDraft}
              suggestions={[]}
              separator={SEPARATOR}
              placeholder="name@example.org"
            />
          )}
        </Field>
      )}
      <Field label="Role" hint={ROLE_OPTIONS.find(({ value }) => value === role)?.about}>
        {(ids) => (
          <Select
            {...ids}
            value={role}
            onChange={(next) => setRole(next as ProjectRole)}
            // An owner is invited by e-mail address only.
            options={ROLE_OPTIONS.filter(({ value }) => !byLink || value !== 'owner')}
          />
        )}
      </Field>
      <Field
        label="Message"
        aside={<span className="text-muted-foreground text-meta">Optional</span>}
        hint={message ? `${message.length} of ${INVITATION_MESSAGE_MAX} characters` : undefined}
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={3}
            maxLength={INVITATION_MESSAGE_MAX}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        )}
      </Field>
      <label className="flex items-start gap-2" htmlFor={linkId}>
        <Checkbox
          id={linkId}
          checked={byLink}
          onChange={(next) => {
            setByLink(next)
            setFailure(undefined)
            if (next && role === 'owner') setRole('reviewer')
          }}
        />
        <span>
          Anyone with the link
          <span className="text-muted-foreground text-meta block">
            Otherwise an invitation is only for its address. A link is valid for {INVITATION_DAYS} days and for one
            person.
          </span>
        </span>
      </label>
      {failure ? <FieldError role="alert">{failure}</FieldError> : null}
      <DialogActions>
        <span className="text-muted-foreground text-meta mr-auto self-center">
          {byLink || emails.length === 0 ? null : counted(emails.length, 'invitation')}
        </span>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={inviting.isPending || (!byLink && wrong.length > 0)}>
          {mail_enabled && !byLink ? 'Send invitations' : 'Create link'}
        </Button>
      </DialogActions>
    </form>
  )
}
