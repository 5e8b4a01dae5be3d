import { createFileRoute } from '@tanstack/react-router'
import { SystemPage } from '#web/system/index.ts'

export const Route = createFileRoute('/admin/system')({ component: SystemPage })
