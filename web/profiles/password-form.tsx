import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newPassword } from '#shared/contract/accounts.ts'
import { PASSWORD_MIN_LENGTH } from '#shared/contract/profiles.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { accountQuery, useChangePassword } from './queries.ts'

/** The section 'Password' of the settings. An account that signs in with an external provider has no password. */
export function Password({ email }: { email: string }) {
  const { data } = useQuery(accountQuery)
  if (data?.has_password !== false) return <PasswordForm email={email} />
  return (
    <p className="text-muted-foreground">You sign in with another provider, so there is no password to change here.</p>
  )
}

/** Changes the password, which ends all other sessions. */
function PasswordForm({ email }: { email: string }) {
  const [error, setError] = useState<string>()
  const changing = useChangePassword()
  const submit = (form: HTMLFormElement) => {
    const input = Object.fromEntries(new FormData(form)) as Record<'currentPassword' | 'newPassword', string>
    const checked = newPassword.safeParse(input.newPassword)
    setError(checked.error?.issues[0]?.message)
    if (checked.success)
      whenDone(changing.mutateAsync(input), {
        onSuccess: () => {
          form.reset()
          toast({ title: 'Password changed', description: 'You are signed out everywhere else.' })
        },
        onError: (failure) =>
          toast({ title: 'Error changing password', description: messageOf(failure), destructive: true }),
      })
  }
  return (
    <form
      className="grid grid-cols-1 gap-4 max-w-md"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {/* Password managers need the user name of the password. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Current password">
        {(ids) => <Input {...ids} name="currentPassword" type="password" autoComplete="current-password" required />}
      </Field>
      <Field
        label="New password"
        hint={`Password must be at least ${PASSWORD_MIN_LENGTH} characters long`}
        error={error}
      >
        {(ids) => <Input {...ids} name="newPassword" type="password" autoComplete="new-password" required />}
      </Field>
      <div>
        <Button type="submit" disabled={changing.isPending}>
          {changing.isPending ? 'Saving...' : 'Change password'}
        </Button>
      </div>
    </form>
  )
}
