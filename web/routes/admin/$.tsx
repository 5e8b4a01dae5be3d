import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '#web/shell/index.ts'

/** Unknown paths under /admin. Administrators see the 404 page; the parent route redirects other users. */
export const Route = createFileRoute('/admin/$')({ component: NotFound })
