import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPage } from '#web/legal/index.ts'

export const Route = createFileRoute('/privacy')({ component: PrivacyPage })
