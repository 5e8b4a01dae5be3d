import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { api } from '#shared/contract/paths.ts'
import { isPageGuarded } from './page-guard.ts'
import { toast } from './toast-state.ts'

const KEY = 'lectern.reloaded-at'
/** Minimum time between two automatic reloads, in ms. */
const ONCE_MS = 30_000

/** The field in which the user typed last. Its text may be unsaved. */
let typed: WeakRef<HTMLInputElement | HTMLTextAreaElement> | undefined

/** Message of the error for a chunk that could not be fetched. */
const CHUNK_MISSING = 'A part of this page could not be loaded'

/**
 * Returns a component whose code is in its own chunk, which is fetched when the component is first rendered. If the fetch fails
 * (a newer version was installed, or the server is unreachable), the rest of the page stays and `reloadPage` is called.
 */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => {
        void reloadPage()
        return { default: () => null }
      },
    ),
  )

/**
 * Reloads the page if the server responds and `reloadIsSafe()`. Otherwise shows a toast with the reason and a Reload button.
 */
async function reloadPage(): Promise<void> {
  const answers = await serverAnswers()
  if (answers && reloadIsSafe()) return reload()
  toast({
    title: CHUNK_MISSING,
    description: answers
      ? 'A newer version may have been installed. Save what you are writing, then reload the page.'
      : 'The server cannot be reached. Check your connection, then reload the page.',
    // Without a server, a reload would show the browser's error page.
    action: { label: 'Reload', run: () => void (answers ? reload() : reloadPage()) },
  })
}

/**
 * Returns true if a reload loses nothing (no open dialog, typed text or chat) and the last reload was more than 30 seconds ago.
 */
export const reloadIsSafe = (): boolean =>
  Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) >= ONCE_MS && !isInHand()

let failures = 0
/** Number of failed chunk fetches since the page was loaded. */
export const chunkFailures = (): number => failures

/** Returns true if the error means that a chunk (a JavaScript file of the app) could not be fetched. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && error.message === CHUNK_MISSING

/**
 * Starts to watch typed text and failed chunk fetches. Ignores a missing stylesheet. Replaces the message of other failures by
 * CHUNK_MISSING, because the router reloads the page at once after the browser's own message, even if the server is
 * unreachable. After CHUNK_MISSING it shows `PageError`, which decides whether to reload.
 */
export function watchParts(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) typed = new WeakRef(target)
  })
  window.addEventListener('vite:preloadError', (event) => {
    if (event.payload.message.startsWith('Unable to preload CSS')) event.preventDefault()
    else {
      event.payload.message = CHUNK_MISSING
      failures += 1
    }
  })
  // Parts of web/ui load their code without `lazyPart`; their failed fetches arrive here.
  window.addEventListener('unhandledrejection', (event) => {
    if (!isChunkError(event.reason)) return
    event.preventDefault()
    void reloadPage()
  })
}

function isInHand(): boolean {
  const field = typed?.deref()
  return Boolean(
    isPageGuarded() ||
    (field?.isConnected && field.value !== '') ||
    document.querySelector('[role=dialog], [role=alertdialog], [data-chat-turn]'),
  )
}

/**
 * Returns true if the server responds within 15 seconds. The limit is so high because a busy server can need more than 5
 * seconds.
 */
export const serverAnswers = (): Promise<boolean> =>
  fetch(api.site(), { signal: AbortSignal.timeout(15_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Reloads the page and stores the time of the reload for `reloadIsSafe`. */
export function reload(): void {
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
}
