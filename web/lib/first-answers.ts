import { useSyncExternalStore } from 'react'
import { endEarlyRequests } from './early-requests.ts'
import { queryClient } from './query-client.ts'

/**
 * The first screen counts as loaded when no query has run for this time, in ms. It is longer than the time between dependent
 * requests of a screen, for example for the project and then for its documents.
 */
const QUIET_MS = 150

/**
 * Time in ms after which the first screen counts as loaded in any case, so that a slow request does not delay the event stream.
 */
const LONGEST_MS = 5_000

let answered = false
/** Number of parts of the screen whose data is loaded and that are not rendered yet. */
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

/** Delays the moment when the first screen counts as loaded, until the returned function is called. */
export function holdFirstScreen(): () => void {
  rendering += 1
  clearTimeout(timer)
  return () => {
    rendering -= 1
    check()
  }
}

/** Returns true while the first screen of the visit is loading. */
export const isFirstScreen = (): boolean => !answered

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Returns false while the first screen of the visit loads, for at most 5 seconds, then true. Use it to enable queries of minor
 * parts (notices, counts, filter options), so that they do not delay the first screen.
 */
export const useFirstAnswers = (): boolean => useSyncExternalStore(subscribe, isAnswered)
