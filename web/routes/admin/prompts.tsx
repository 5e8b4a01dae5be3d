import { createFileRoute } from '@tanstack/react-router'
import { PromptsPage } from '#web/prompts/index.ts'

export const Route = createFileRoute('/admin/prompts')({ component: PromptsPage })
