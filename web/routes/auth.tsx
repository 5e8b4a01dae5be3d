import { createFileRoute } from '@tanstack/react-router'
import { AuthPage } from '#web/auth/index.ts'

export const Route = createFileRoute('/auth')({ component: AuthPage })
