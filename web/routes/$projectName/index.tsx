import { createFileRoute, notFound } from '@tanstack/react-router'

/** A project has no page of its bare name. */
export const Route = createFileRoute('/$projectName/')({
  beforeLoad: () => {
    throw notFound()
  },
})
