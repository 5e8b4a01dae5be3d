import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { api, pages } from '#shared/contract/paths.ts'
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
