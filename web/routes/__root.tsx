import { createRootRoute } from '@tanstack/react-router'
import { Shell } from '#web/shell/index.ts'

export const Route = createRootRoute({ component: Shell })
