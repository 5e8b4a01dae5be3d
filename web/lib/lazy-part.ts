import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { api } from '#shared/paths.ts'
import { toast } from './toast-state.ts'

const KEY = 'lectern.reloaded-at'
/** Within this time a reload that did not help is not repeated. */
const ONCE_MS = 30_000

/** The field that was typed into last: what stands in it may be nowhere else. */
let typed: WeakRef<HTMLInputElement | HTMLTextAreaElement> | undefined

/**
 * A part of a page in a chunk of its own, fetched when it is first shown. Where it cannot be fetched any more, because a
 * newer version was installed while the page was open, the rest of the page stays, and is loaded anew: see `loadAnew`.
 */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => {
        void loadAnew()
        return { default: () => null }
      },
    ),
  )

/**
 * Reloads the page, once, when nothing on it can be lost: no dialog is open, nothing is written or asked. Otherwise, and
 * where the server does not answer, it says what is wrong and offers the reload.
 */
export async function loadAnew(): Promise<void> {
  const again = Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_MS
  if (!again && !isInHand() && (await isThere())) return reload()
  toast({
    title: 'A part of this page could not be loaded',
    description: 'A newer version may have been installed. Save what you are writing, then reload the page.',
    action: { label: 'Reload', run: reload },
  })
}

/**
 * Begins to watch for what a reload would lose, and for parts that are gone. Pages that are gone the router loads anew
 * by itself, at the address that was asked for; it tells them by the failure of their script, so a stylesheet that is
 * gone with it must not be the failure.
 */
export function watchParts(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) typed = new WeakRef(target)
  })
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.startsWith('Unable to preload CSS')) event.preventDefault()
  })
}

function isInHand(): boolean {
  const field = typed?.deref()
  return Boolean(
    (field?.isConnected && field.value !== '') ||
    document.querySelector('[role=dialog], [role=alertdialog], .chat-turn'),
  )
}

const isThere = () =>
  fetch(api.site()).then(
    ({ ok }) => ok,
    () => false,
  )

function reload(): void {
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
}
