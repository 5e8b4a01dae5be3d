import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { api, pages } from '#shared/contract/paths.ts'
import { ACCOUNT_DISABLED } from '#shared/contract/people.ts'
import { messageOf, request } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'

/**
 * The button that signs in with the OpenID Connect provider of this server. Renders nothing if the server has no provider. With
 * `again`, a user who is signed in already signs in again as a proof of identity.
 */
export function ProviderButton({
  back = pages.projects(),
  again = false,
}: {
  back?: string | undefined
  again?: boolean
}) {
  const { sign_in_with } = useSite()
  const leave = useMutation({
    mutationFn: () =>
      request(api.signInSocial(), {
        method: 'POST',
        body: { redirect_to: back, again },
        schema: z.object({ url: z.url() }),
        keepSession: true,
      }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast({ title: 'Authentication failed', description: messageOf(error), destructive: true }),
  })
  if (!sign_in_with) return null
  return (
    <Button variant={again ? 'primary' : 'outline'} disabled={leave.isPending} onClick={() => leave.mutate()}>
      Continue with {sign_in_with}
    </Button>
  )
}

/** Returns the message for an error code that a failed sign-in with the provider adds to the URL. */
export function refusalOf(code: string): string {
  if (code === 'account_not_linked') return 'An account with this email exists here already. Sign in with its password.'
  if (code === 'account_disabled') return ACCOUNT_DISABLED
  if (code === 'sign_up_closed') return 'You have no account here. Ask an administrator for one.'
  if (code === 'sign_up_invited')
    return 'You have no account here. An owner of a project can invite your email address.'
  if (code === 'sign_up_domain') return 'Addresses of this domain cannot sign up here.'
  if (code === 'access_denied') return 'The sign-in was cancelled.'
  if (code === 'address_unconfirmed')
    return 'The provider does not confirm your email address. Ask the operator of this server.'
  if (code === 'email_not_verified')
    return "Your email address is not confirmed. 'Forgot password?' sends you a link that confirms it."
  if (code === 'email_not_found') return 'The provider did not send your email address.'
  return 'The provider could not sign you in. Try again.'
}
