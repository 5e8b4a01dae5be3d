import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '#web/shell/index.ts'

/** Unknown sub-paths show 404 to administrators only; other users are redirected as for /admin. */
export const Route = createFileRoute('/admin/$')({ component: NotFound })
