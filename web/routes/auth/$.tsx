import { createFileRoute } from '@tanstack/react-router'

/** All paths under /auth. The parent route renders their pages. */
export const Route = createFileRoute('/auth/$')({})
