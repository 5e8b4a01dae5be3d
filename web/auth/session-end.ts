import { pages } from '#shared/paths.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { discardUnsaved, hasUnsaved } from '#web/lib/unsaved.ts'

export const SESSION_KEY = ['session'] as const
const SIGNED_OUT = 'signed-out'

let back: string | undefined
/** Between tabs: a sign-out in one of them ends the work in all. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('lectern-session') : null

/** Where the work stopped because the session was lost; undefined when nobody was thrown out. */
export const lostAt = () => back

/** Forgets user, profile and everything fetched for them. */
export function clearSession(): void {
  back = undefined
  forget()
}

/** Whether it is known that nobody is signed in. */
export const isSignedOut = (): boolean => queryClient.getQueryData(SESSION_KEY) === null

/** After a sign-out in this tab: clears this tab and every other one. The person gave up what was not saved here. */
export function endSession(): void {
  discardUnsaved()
  clearSession()
  channel?.postMessage(SIGNED_OUT)
}

/** The server knows no session although somebody was signed in here: says so, and remembers the page to return to. */
export function loseSession(): void {
  if (!queryClient.getQueryData(SESSION_KEY)) return
  back = here()
  forget()
  // After the words of the call that failed, which speak of one step only.
  setTimeout(() =>
    toast({
      title: 'You are not logged in.',
      description: 'Sign in to go on where you were.',
      destructive: true,
    }),
  )
}

/** Clears this tab when another one has signed out; returns how to stop listening. */
export function followSignOut(): () => void {
  const take = ({ data }: MessageEvent<unknown>) => {
    if (data !== SIGNED_OUT) return
    // Unsaved work becomes a draft, and the same person is led back to it.
    const unsavedAt = hasUnsaved() ? here() : undefined
    clearSession()
    back = unsavedAt
  }
  channel?.addEventListener('message', take)
  return () => channel?.removeEventListener('message', take)
}

/** An address to come back to, if it is a page of this site other than sign-in; undefined for every other one. */
export function returnAddress(address: unknown): string | undefined {
  // Browsers read '//host' and '/\\host' as other sites, and drop tabs and line breaks on the way there.
  if (typeof address !== 'string' || !/^\/(?![/\\])/.test(address) || hasControls(address)) return undefined
  return /^\/auth(?:[/?#]|$)/.test(address) || address === pages.home() ? undefined : address
}

const here = () => returnAddress(location.pathname + location.search + location.hash)

const hasControls = (text: string) => [...text].some((letter) => letter < ' ')

function forget() {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'session' && query.queryKey[0] !== 'site' })
  queryClient.setQueryData(SESSION_KEY, null)
}
