import './ui/styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchParts } from './lib/lazy-part.ts'
import { queryClient } from './lib/query-client.ts'
import { startTrustedTypes } from './lib/trusted-types.ts'
import { router } from './router.ts'

startTrustedTypes()
watchParts()

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
