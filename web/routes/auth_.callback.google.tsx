import { createFileRoute } from '@tanstack/react-router'
import { DriveCallbackPage } from '#web/drive/index.ts'

const text = (value: unknown) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

export const Route = createFileRoute('/auth_/callback/google')({
  validateSearch: (search): { code?: string | undefined; state?: string | undefined } => ({
    code: text(search['code']),
    state: text(search['state']),
  }),
  component: Callback,
})

function Callback() {
  const { code, state } = Route.useSearch()
  return <DriveCallbackPage code={code} state={state} />
}
