import { createFileRoute } from '@tanstack/react-router'
import { AuthPage, returnAddress } from '#web/auth/index.ts'
import type { AuthSearch } from '#web/auth/index.ts'

const textOf = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

export const Route = createFileRoute('/auth')({
  validateSearch: (search): AuthSearch => ({
    back: returnAddress(search['back']),
    error: textOf(search['error']),
    token: textOf(search['token']),
  }),
  component: Auth,
})

function Auth() {
  return <AuthPage {...Route.useSearch()} />
}
