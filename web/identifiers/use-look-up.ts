import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { identifierKey, IDENTIFIERS_MAX, type LookedUpLine } from '#shared/contract/identifiers.ts'
import { messageOf } from '#web/lib/api.ts'
import { streamLookUp } from './stream-look-up.ts'

/** Delay in ms: new lines are looked up when the text has not changed for this time. */
const REST_MS = 700

/**
 * Looks up new lines when the text has not changed for a moment. Looks up each identifier once. `retry` repeats failed
 * look-ups. Unmounting aborts them. Give the component another `key` for another project, because the hook does not discard
 * the results of the first project.
 */
export function useLookUp(projectId: string, lines: readonly string[]) {
  const [results, setResults] = useState<ReadonlyMap<string, LookedUpLine>>(new Map())
  const requested = useRef(new Set<string>())
  const stop = useRef<AbortController>(undefined)
  const isTooLong = lines.length > IDENTIFIERS_MAX

  useEffect(() => {
    const control = new AbortController()
    stop.current = control
    return () => control.abort()
  }, [])

  const lookUp = async (wanted: ReadonlyMap<string, string>) => {
    const { signal } = stop.current!
    const keys = [...wanted.keys()]
    for (const key of keys) requested.current.add(key)
    const store = (found: [string, LookedUpLine][]) => {
      if (!signal.aborted) setResults((now) => new Map([...now, ...found]))
    }
    const open = new Set(keys)
    try {
      for await (const result of streamLookUp(projectId, [...wanted.values()], signal)) {
        const key = keys[result.line]!
        open.delete(key)
        store([[key, result]])
      }
    } catch (error) {
      if (!signal.aborted) store([...open].map((key) => [key, failedLine(messageOf(error))]))
    }
  }

  const text = lines.join('\n')
  const lookUpNew = useEffectEvent(() => {
    const wanted = new Map<string, string>()
    for (const line of lines) {
      const key = identifierKey(line)
      if (key && !requested.current.has(key)) wanted.set(key, line)
    }
    if (wanted.size > 0) void lookUp(wanted)
  })
  useEffect(() => {
    if (isTooLong || !text) return
    const timer = setTimeout(() => lookUpNew(), REST_MS)
    return () => clearTimeout(timer)
  }, [text, isTooLong])

  const retry = () => {
    const failed = new Map<string, string>()
    for (const line of lines) {
      const key = identifierKey(line)
      if (key && results.get(key)?.state === 'failed') failed.set(key, line)
    }
    setResults((now) => new Map([...now].filter(([key]) => !failed.has(key))))
    void lookUp(failed)
  }
  return { results, retry, isTooLong }
}

const failedLine = (message: string): LookedUpLine => ({
  line: 0,
  kind: null,
  value: null,
  state: 'failed',
  service: null,
  message,
  paper: null,
  document: null,
})
