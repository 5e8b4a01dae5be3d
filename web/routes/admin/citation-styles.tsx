import { createFileRoute } from '@tanstack/react-router'
import { AddedStylesPage } from '#web/citations/index.ts'

export const Route = createFileRoute('/admin/citation-styles')({ component: AddedStylesPage })
