import { createFileRoute } from '@tanstack/react-router'

/** Every sub-path shows what /auth shows. */
export const Route = createFileRoute('/auth/$')({})
