import './shell.css'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import { SessionKeeper, useSession } from '#web/auth/index.ts'
import { ConfirmHost } from '#web/lib/confirm.tsx'
import { Toaster } from '#web/lib/toasts.tsx'
import { useProjectKeeper } from '#web/projects/index.ts'
import { BusyVeil } from './busy-veil.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'

const CommandPalette = lazy(() => import('./command-palette.tsx').then((file) => ({ default: file.CommandPalette })))

/** What stands around every screen. A chat takes the whole window, so it has no footer. */
export function Shell() {
  const signedIn = useSession().state === 'in'
  const path = useLocation({ select: (location) => location.pathname })
  const [palette, setPalette] = useState(false)
  const full = /^\/[^/]+\/document\/[^/]+\/chat$/.test(path)
  useProjectKeeper()

  useEffect(() => {
    if (!signedIn) return
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPalette((now) => !now)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [signedIn])

  return (
    <div className={full ? 'frame frame-full' : 'frame'}>
      <a href="#content" className="skip">
        Skip to content
      </a>
      <SessionKeeper />
      <Header onSearch={() => setPalette(true)} />
      <div id="content" className="content" tabIndex={-1}>
        <Outlet />
      </div>
      {full ? null : <Footer />}
      <Toaster />
      <ConfirmHost />
      <BusyVeil />
      {palette && signedIn ? (
        <Suspense>
          <CommandPalette onClose={() => setPalette(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
