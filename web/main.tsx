import './ui/styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './lib/query-client.ts'
import { startTrustedTypes } from './lib/trusted-types.ts'
import { router } from './router.ts'

startTrustedTypes()

// A newer version was installed while this page was open, so a part of the old one is gone: load the new page, but not
// again and again where that does not help.
window.addEventListener('vite:preloadError', () => {
  const KEY = 'lectern.reloaded-at'
  if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < 30_000) return
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
})

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
