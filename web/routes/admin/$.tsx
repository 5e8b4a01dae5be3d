import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '#web/shell/index.ts'

/** Every other sub-path is guarded as /admin is, and is not there for administrators either. */
export const Route = createFileRoute('/admin/$')({ component: NotFound })
