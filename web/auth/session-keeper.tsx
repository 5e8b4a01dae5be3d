import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { setNoAdminHandler, setSignedOutHandler } from '#web/lib/api.ts'
import { applyAppearance } from '#web/lib/appearance.ts'
import { removeDraftsOfOthers } from '#web/lib/drafts.ts'
import { followEvents } from '#web/lib/events.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { SESSION_KEY } from '#web/lib/signed-out.ts'
import { toast } from '#web/lib/toasts.tsx'
import { fetchProfile } from './own-profile.ts'
import { sessionQuery, useSession } from './queries.ts'
import type { Session } from './queries.ts'
import { followSignOut, loseSession } from './session-end.ts'

const REFRESH_MS = 5 * 60_000
const RETRY_PROFILE_MS = 5000

/**
 * Refreshes the session on a timer and when the tab becomes visible, retries a profile that could not be read, applies
 * theme and font size, and subscribes to live events while a user is signed in.
 */
export function SessionKeeper() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { session } = useSession()
  const userId = session?.user.id
  const isLoaded = useFirstAnswers()
  /**
   * The time (`performance.now`, in ms) of the sign-in; 0 if the page was loaded with a session. Live events are read from this
   * time.
   */
  const since = useRef(0)
  const standIn = session?.standIn ?? false
  // A placeholder profile does not contain the theme of the user.
  const theme = standIn ? undefined : session?.profile.theme
  const fontSize = session?.profile.font_size

  useEffect(() => {
    setSignedOutHandler(loseSession)
    // After a lost administrator right, the refreshed session redirects the user from the administration pages.
    setNoAdminHandler(() => void loseAdminRight(client))
    const unfollow = followSignOut()
    const refresh = () =>
      document.visibilityState === 'visible' && void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    const timer = setInterval(refresh, REFRESH_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      unfollow()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [client])

  useEffect(() => (userId && standIn ? retryProfile(client, userId) : undefined), [client, userId, standIn])

  useEffect(() => {
    if (theme && fontSize) applyAppearance({ theme, font_size: fontSize })
  }, [theme, fontSize])

  useEffect(() => {
    if (userId) removeDraftsOfOthers(userId)
  }, [userId])

  useEffect(() => {
    // The first session is read when the page is loaded, and its data is requested from time 0. A later one follows a sign-in.
    const isFirst = client.getQueryState(SESSION_KEY)?.dataUpdateCount === 1
    since.current = isFirst ? 0 : performance.now()
  }, [userId, client])

  useEffect(() => {
    if (!userId || !isLoaded) return undefined
    return followEvents(client, userId, (to) => void navigate({ to }), since.current)
  }, [userId, isLoaded, client, navigate])
  return null
}

/**
 * Refreshes the session after the server refused an administrator's call. Shows a toast if the user no longer has the right.
 */
async function loseAdminRight(client: QueryClient): Promise<void> {
  const isAdmin = () => client.getQueryData<Session | null>(SESSION_KEY)?.profile.is_admin ?? false
  if (!isAdmin()) return
  await client.invalidateQueries({ queryKey: SESSION_KEY })
  // Delayed, so that this toast replaces those of the failed calls.
  if (!isAdmin()) setTimeout(() => toast({ title: 'You are no longer an administrator.', destructive: true }))
}

/** Fetches the profile every 5 seconds until it is read. Returns a function that stops the retries. */
function retryProfile(client: QueryClient, userId: string): () => void {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(() => {
      fetchProfile(userId, stop.signal).then(
        (profile) =>
          client.setQueryData(SESSION_KEY, (now: Session | null | undefined) =>
            now?.user.id === userId ? { ...now, profile, standIn: false } : now,
          ),
        () => stop.signal.aborted || wait(),
      )
    }, RETRY_PROFILE_MS)
  }
  wait()
  return () => {
    stop.abort()
    clearTimeout(timer)
  }
}
