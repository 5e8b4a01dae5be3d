import './ui/styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from './auth/index.ts'
import { watchParts } from './lib/lazy-part.ts'
import { queryClient } from './lib/query-client.ts'
import { siteQuery } from './lib/site.ts'
import { startTrustedTypes } from './lib/trusted-types.ts'
import { router } from './router.ts'

startTrustedTypes()
watchParts()
// Every screen needs these. They load while the code of the screen loads, not after it.
// A failed request is repeated by the screen, which reports it.
queryClient.query(sessionQuery).catch(() => undefined)
queryClient.query(siteQuery).catch(() => undefined)

// In a transition, React renders in steps and leaves time for the browser between them.
startTransition(() =>
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
)
