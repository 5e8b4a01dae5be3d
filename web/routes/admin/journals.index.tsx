import { createFileRoute } from '@tanstack/react-router'
import { JournalsPage } from '#web/admin/index.ts'

export const Route = createFileRoute('/admin/journals/')({ component: JournalsPage })
