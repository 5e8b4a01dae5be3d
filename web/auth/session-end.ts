import { pages } from '#shared/contract/paths.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { SESSION_KEY } from '#web/lib/signed-out.ts'
import { toast } from '#web/lib/toasts.tsx'
import { discardUnsaved, hasUnsaved } from '#web/lib/unsaved.ts'

const SIGNING_OUT = 'signing-out'
const SIGNED_OUT = 'signed-out'
const STAYED = 'stayed'

let back: string | undefined
/**
 * True while another tab signs out. This tab may learn from a failed request that the session has ended, before that tab
 * announces the end.
 */
let isSigningOut = false
/** Announces the steps of a sign-out to all tabs. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lectern-session') : null

/** Returns the address of the page to which the user returns after the session ended; undefined if there is none. */
export const lostAt = () => back

/** Clears the session, the stored page to return to, and all cached data except the settings of the server. */
export function clearSession(): void {
  back = undefined
  forget()
}

/** Announces to the other tabs that this tab signs out. Returns a function that announces to them that the sign-out failed. */
export function announceSignOut(): () => void {
  channel?.postMessage(SIGNING_OUT)
  return () => channel?.postMessage(STAYED)
}

/** Ends the session in all tabs after a sign-out. Discards unsaved changes of this tab. */
export function endSession(): void {
  discardUnsaved()
  clearSession()
  channel?.postMessage(SIGNED_OUT)
}

/** Called when the server reports that a signed-in user has no session. Shows a toast and stores the page to return to. */
export function loseSession(): void {
  if (!queryClient.getQueryData(SESSION_KEY)) return
  // The announced sign-out ends the session as in the other tab, unless that would lose changes.
  if (isSigningOut && !hasUnsaved()) return clearSession()
  back = here()
  forget()
  // Delayed, so that this toast replaces the one of the failed call.
  setTimeout(showSessionEnd)
}

const showSessionEnd = () =>
  toast({
    title: 'You are not logged in.',
    description: 'Sign in to continue where you were.',
    destructive: true,
  })

/**
 * Subscribes to sign-outs in other tabs: after such a sign-out, clears the session and the cached data of this tab, and shows a
 * toast if the tab had unsaved changes. Returns a function that unsubscribes.
 */
export function followSignOut(): () => void {
  const take = ({ data }: MessageEvent<unknown>) => {
    isSigningOut = data === SIGNING_OUT
    if (data !== SIGNED_OUT) return
    // Unsaved changes become a draft. The same user returns to it after signing in.
    const unsavedAt = hasUnsaved() ? here() : undefined
    clearSession()
    back = unsavedAt
    if (unsavedAt) showSessionEnd()
  }
  channel?.addEventListener('message', take)
  return () => channel?.removeEventListener('message', take)
}

/** Returns `address` if it is a path of this site, except the home page and the pages under /auth; otherwise undefined. */
export function returnAddress(address: unknown): string | undefined {
  // Browsers read '//host' and '/\\host' as other sites, and remove tabs and line breaks from URLs.
  if (typeof address !== 'string' || !/^\/(?![/\\])/.test(address) || hasControls(address)) return undefined
  return /^\/auth(?:[/?#]|$)/.test(address) || address === pages.home() ? undefined : address
}

const here = () => returnAddress(location.pathname + location.search + location.hash)

const hasControls = (text: string) => [...text].some((letter) => letter < ' ')

function forget() {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' && query.queryKey[0] !== 'site' })
  queryClient.setQueryData(SESSION_KEY, null)
}
