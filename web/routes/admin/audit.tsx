import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '#web/admin/index.ts'

export const Route = createFileRoute('/admin/audit')({ component: AuditPage })
