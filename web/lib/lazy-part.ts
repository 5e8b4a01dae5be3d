import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { api } from '#shared/paths.ts'
import { isPageGuarded } from './page-guard.ts'
import { toast } from './toast-state.ts'

const KEY = 'lectern.reloaded-at'
/** Within this time a reload that did not help is not repeated. */
const ONCE_MS = 30_000

/** The field that was typed into last: what stands in it may be nowhere else. */
let typed: WeakRef<HTMLInputElement | HTMLTextAreaElement> | undefined

/** The message of an error that says: the chunk of a page could not be fetched. */
const CHUNK_MISSING = 'A part of this page could not be loaded'

/**
 * A part of a page in a chunk of its own, fetched when it is first shown. If the chunk cannot be fetched, because a newer
 * version was installed while the page was open or because the server is away, the rest of the page stays: see
 * `reloadPage`.
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

/** Reloads the page if `reloadIsSafe`; otherwise says in a toast what is wrong, and offers the reload. */
async function reloadPage(): Promise<void> {
  const answers = await serverAnswers()
  if (answers && reloadIsSafe()) return reload()
  toast({
    title: CHUNK_MISSING,
    description: answers
      ? 'A newer version may have been installed. Save what you are writing, then reload the page.'
      : 'The server cannot be reached. Check your connection, then reload the page.',
    // Without a server the browser would show its own error page.
    action: { label: 'Reload', run: () => void (answers ? reload() : reloadPage()) },
  })
}

/** True when a reload loses nothing (no open dialog, no typed text, no chat) and none was tried in the last 30 seconds. */
export const reloadIsSafe = (): boolean =>
  Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) >= ONCE_MS && !isInHand()

let failures = 0
/** How many chunks could not be fetched so far. */
export const chunkFailures = (): number => failures

/** True for the error of a page whose chunk could not be fetched. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && error.message === CHUNK_MISSING

/**
 * Starts to watch for typed text and for chunks that cannot be fetched. A missing stylesheet alone does not stop a page.
 * The router recognises the browser's error by its message and would reload the page at once, even without a server:
 * another message makes it show the error, and `PageError` decides.
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
}

function isInHand(): boolean {
  const field = typed?.deref()
  return Boolean(
    isPageGuarded() ||
    (field?.isConnected && field.value !== '') ||
    document.querySelector('[role=dialog], [role=alertdialog], .chat-turn'),
  )
}

/** Whether the server answers within five seconds. */
export const serverAnswers = (): Promise<boolean> =>
  fetch(api.site(), { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Reloads the page, and notes the time for `reloadIsSafe`. */
export function reload(): void {
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
}
