import { createFileRoute } from '@tanstack/react-router'
import { AuthPage, returnAddress } from '#web/auth/index.ts'

export const Route = createFileRoute('/auth')({
  validateSearch: (search): { back?: string | undefined } => ({ back: returnAddress(search['back']) }),
  component: Auth,
})

function Auth() {
  return <AuthPage back={Route.useSearch().back} />
}
