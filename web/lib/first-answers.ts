import { useSyncExternalStore } from 'react'
import { endEarlyRequests } from './early-requests.ts'
import { queryClient } from './query-client.ts'

/**
 * The first screen has its data when no query has run for this time. The pause between two dependent requests of a screen, such
 * as those of the project and of its documents, is shorter.
 */
const QUIET_MS = 150

/** The longest wait, so that one slow request does not delay the event stream. */
const LONGEST_MS = 5_000

let answered = false
/** Parts of the screen that have their data and are not rendered yet. */
let rendering = 0
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

const unsubscribe = queryClient.getQueryCache().subscribe(check)
const longest = setTimeout(end, LONGEST_MS)

function check() {
  clearTimeout(timer)
  if (!answered && queryClient.isFetching() === 0 && rendering === 0) timer = setTimeout(end, QUIET_MS)
}

function end() {
  clearTimeout(timer)
  clearTimeout(longest)
  answered = true
  unsubscribe()
  endEarlyRequests()
  for (const listener of listeners) listener()
}

const isAnswered = () => answered

/** Delays the end of the first screen until the returned function is called. */
export function holdFirstScreen(): () => void {
  rendering += 1
  clearTimeout(timer)
  return () => {
    rendering -= 1
    check()
  }
}

/** Returns whether the first screen of the visit still waits for its data. */
export const isFirstScreen = (): boolean => !answered

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Returns whether the first screen of the visit has its data, or 5 seconds have passed. Queries of minor parts (notices, counts,
 * choices of filters) are enabled then, so that they do not delay the first screen.
 */
export const useFirstAnswers = (): boolean => useSyncExternalStore(subscribe, isAnswered)
