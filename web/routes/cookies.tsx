import { createFileRoute } from '@tanstack/react-router'
import { CookiesPage } from '#web/legal/index.ts'

export const Route = createFileRoute('/cookies')({ component: CookiesPage })
