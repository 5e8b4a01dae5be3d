import { createFileRoute, redirect } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    throw redirect({ to: pages.projects(), replace: true })
  },
})
