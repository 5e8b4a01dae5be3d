import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setSignedOutHandler } from '#web/lib/api.ts'
import { applyAppearance } from '#web/lib/appearance.ts'
import { followEvents } from '#web/lib/events.ts'
import { sessionQuery, useSession } from './queries.ts'
import { followSignOut, loseSession } from './session-end.ts'

const REFRESH_MS = 5 * 60_000

/**
 * Keeps the session alive and the page in step with it: refreshes on a timer and when the tab becomes visible (paused
 * while hidden), applies theme and font size, listens to live events while somebody is signed in.
 */
export function SessionKeeper() {
  const client = useQueryClient()
  const { session } = useSession()
  const userId = session?.user.id
  const theme = session?.profile.theme
  const fontSize = session?.profile.font_size

  useEffect(() => {
    setSignedOutHandler(loseSession)
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

  useEffect(() => {
    if (theme && fontSize) applyAppearance({ theme, font_size: fontSize })
  }, [theme, fontSize])

  useEffect(() => (userId ? followEvents(client, userId) : undefined), [userId, client])
  return null
}
