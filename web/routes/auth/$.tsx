import { createFileRoute } from '@tanstack/react-router'

/** Every sub-path renders the page of /auth. */
export const Route = createFileRoute('/auth/$')({})
