import { createFileRoute } from '@tanstack/react-router'
import { IntegrationsPage } from '#web/admin/index.ts'

export const Route = createFileRoute('/admin/integrations')({ component: IntegrationsPage })
