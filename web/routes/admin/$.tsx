import { createFileRoute } from '@tanstack/react-router'

/** Every sub-path is guarded as /admin is. */
export const Route = createFileRoute('/admin/$')({})
