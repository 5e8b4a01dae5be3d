import { createFileRoute } from '@tanstack/react-router'
import { TermsPage } from '#web/legal/index.ts'

export const Route = createFileRoute('/terms')({ component: TermsPage })
