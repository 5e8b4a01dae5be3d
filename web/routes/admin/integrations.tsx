import { createFileRoute } from '@tanstack/react-router'
import { IntegrationsPage } from '#web/integrations/index.ts'

export const Route = createFileRoute('/admin/integrations')({ component: IntegrationsPage })
