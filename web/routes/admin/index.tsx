import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '#web/admin/index.ts'

export const Route = createFileRoute('/admin/')({ component: DashboardPage })
