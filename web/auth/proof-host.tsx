import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { accountSummary } from '#shared/contract/accounts.ts'
import { api } from '#shared/contract/paths.ts'
import { anything, messageOf, one, request } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { factorsQuery, useVerifyFactor } from './factor-calls.ts'
import { ProviderButton } from './provider-button.tsx'
import { endProof, pendingProof } from './with-proof.ts'

/** Renders the re-authentication dialog. Rendered once by each page that needs it. */
export function ProofHost() {
  const now = useSyncExternalStore(pendingProof.subscribe, pendingProof.now)
  return (
    <Dialog
      open={now?.open ?? false}
      onOpenChange={(open) => {
        if (!open) endProof(false)
      }}
      title="Confirm that it is you"
      about="This step needs a recent sign-in."
    >
      <ProofForm />
    </Dialog>
  )
}

/** Asks for the password; without a password, for a code of the second factor; without both, for a new sign-in. */
function ProofForm() {
  const account = useQuery({
    queryKey: ['proof'],
    queryFn: ({ signal }) => request(api.account(), { schema: one(accountSummary), signal }),
  })
  const factors = useQuery(factorsQuery)
  const verify = useVerifyFactor()
  const confirm = useMutation({
    mutationFn: (password: string) =>
      request(api.confirmPassword(), { method: 'POST', body: { password }, schema: anything, keepSession: true }),
  })
  const { sign_in_with } = useSite()
  const [error, setError] = useState<string>()
  const failed = account.error ?? factors.error
  if (failed)
    return (
      <p className="mt-4" role="alert">
        {messageOf(failed)}
      </p>
    )
  if (!account.data || !factors.data) return <Skeleton height="5rem" />
  const factor = factors.data.factors.find(({ status }) => status === 'verified')
  const byPassword = account.data.has_password
  if (!byPassword && !factor)
    return (
      <>
        <p className="mt-4">
          {sign_in_with
            ? `Sign in with ${sign_in_with} again: you return to this page and can repeat the step.`
            : 'Sign out and in again, then return to this page.'}
        </p>
        <DialogActions>
          <Button variant={sign_in_with ? 'ghost' : 'outline'} onClick={() => endProof(false)}>
            {sign_in_with ? 'Cancel' : 'Close'}
          </Button>
          <ProviderButton back={location.pathname} again />
        </DialogActions>
      </>
    )
  const submit = (form: HTMLFormElement) => {
    const { proof } = Object.fromEntries(new FormData(form)) as { proof: string }
    const given =
      byPassword || !factor ? confirm.mutateAsync(proof) : verify.mutateAsync({ id: factor.id, code: proof })
    whenDone<unknown>(given, { onSuccess: () => endProof(true), onError: (wrong) => setError(messageOf(wrong)) })
  }
  const isPending = confirm.isPending || verify.isPending
  return (
    <form
      className="grid grid-cols-1 gap-4 mt-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <Field label={byPassword ? 'Your password' : 'Code or backup code'} error={error}>
        {(ids) => (
          <Input
            {...ids}
            name="proof"
            type={byPassword ? 'password' : 'text'}
            autoComplete={byPassword ? 'current-password' : 'one-time-code'}
            required
            autoFocus
          />
        )}
      </Field>
      <DialogActions>
        <Button variant="ghost" disabled={isPending} onClick={() => endProof(false)}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={isPending}>
          {isPending ? 'Checking...' : 'Continue'}
        </Button>
      </DialogActions>
    </form>
  )
}
