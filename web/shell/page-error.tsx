import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { chunkFailures, isChunkError, reload, reloadIsSafe, serverAnswers } from '#web/lib/lazy-part.ts'
import { Button } from '#web/ui/button.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'

/** Shown in place of a screen that failed to render. The header and footer stay. */
export function PageError({ error, reset }: ErrorComponentProps) {
  if (isChunkError(error)) return <MissingPage />
  return (
    <Page>
      <Notice>
        <h1>This page could not be shown</h1>
        <p>{messageOf(error)}</p>
        <Button onClick={reset}>Retry</Button>
      </Notice>
    </Page>
  )
}

/**
 * Shown if the chunk of a page could not be fetched. If the server responds, a newer version was probably installed, and the
 * page is reloaded once. Otherwise 'Try again' and the browser's `online` event fetch the chunk again, which does not lose the
 * state in memory. If this fails although the server responds, the page is reloaded: Chromium 150 does not fetch a script again
 * after a failure.
 */
function MissingPage() {
  const router = useRouter()
  const [answers, setAnswers] = useState<boolean | null>(null)
  useEffect(() => {
    let isGone = false
    void serverAnswers().then((now) => {
      if (isGone) return
      if (now && reloadIsSafe()) reload()
      else setAnswers(now)
    })
    return () => {
      isGone = true
    }
  }, [])
  const tryAgain = useCallback(async () => {
    setAnswers(null)
    const now = await serverAnswers()
    if (!now) return setAnswers(now)
    const before = chunkFailures()
    await router.invalidate()
    // The chunk was loaded and the router shows the page.
    if (chunkFailures() === before) return
    if (reloadIsSafe()) reload()
    else setAnswers(now)
  }, [router])
  useEffect(() => {
    const comesBack = () => void tryAgain()
    window.addEventListener('online', comesBack)
    return () => window.removeEventListener('online', comesBack)
  }, [tryAgain])
  return (
    <Page>
      {answers === null ? (
        <Waiting>Loading...</Waiting>
      ) : (
        <Notice role="alert">
          <h1>This page could not be loaded</h1>
          <p>
            {answers
              ? 'A newer version may have been installed. Save what you are writing, then reload the page.'
              : 'The server cannot be reached. Check your connection and try again.'}
          </p>
          <Button onClick={() => void tryAgain()}>Try again</Button>
        </Notice>
      )}
    </Page>
  )
}
