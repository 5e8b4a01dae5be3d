import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { SessionKeeper, useSession } from '#web/auth/index.ts'
import { ConfirmHost } from '#web/lib/confirm.tsx'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { Toaster } from '#web/lib/toasts.tsx'
import { NoticeStrip } from '#web/notices/index.ts'
import { useProjectKeeper } from '#web/projects/index.ts'
import { BusyOverlay } from './busy-overlay.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import styles from './shell.module.css'
import { useShortcuts } from './use-shortcuts.ts'

const CommandPalette = lazyPart(() => import('./command-palette.tsx').then((file) => file.CommandPalette))
const KeysDialog = lazyPart(() => import('./keys-dialog.tsx').then((file) => file.KeysDialog))

/**
 * The frame around every screen, with the header and the footer. Screens with a conversation use the full window and have no
 * footer.
 */
export function Shell() {
  const { session } = useSession()
  const path = useLocation({ select: (location) => location.pathname })
  const [palette, setPalette] = useState(false)
  const [keys, setKeys] = useState(false)
  const full = /^\/[^/]+\/(?:ask|document\/[^/]+\/chat)$/.test(path)
  useProjectKeeper()

  useShortcuts(session !== null, {
    search: () => setPalette((now) => !now),
    keys: () => setKeys(true),
  })

  return (
    <div className={full ? 'flex h-dvh flex-none flex-col overflow-hidden' : 'flex min-h-dvh flex-1 flex-col'}>
      <a href="#content" className={styles.skipLink}>
        Skip to content
      </a>
      <SessionKeeper />
      <Header onSearch={() => setPalette(true)} />
      {full || !session ? null : <NoticeStrip />}
      <div id="content" className="peer flex min-h-0 flex-1 flex-col outline-none" tabIndex={-1}>
        <Outlet />
      </div>
      {full ? null : <Footer />}
      <Toaster />
      <ConfirmHost />
      <BusyOverlay />
      {keys && session ? (
        <Suspense>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      ) : null}
      {palette && session ? (
        <Suspense>
          <CommandPalette session={session} onClose={() => setPalette(false)} onKeys={() => setKeys(true)} />
        </Suspense>
      ) : null}
    </div>
  )
}
