import { createFileRoute } from '@tanstack/react-router'
import { UsagePage } from '#web/admin/index.ts'

export const Route = createFileRoute('/admin/usage')({ component: UsagePage })
