import { type RefObject, useEffect, useRef } from 'react'

/**
 * Options of a form whose stored values can change while it is open. New stored values do not replace edited fields, and an
 * edited form keeps the state 'dirty'. `useSeenVersion` relies on this state: otherwise it would return the version of new
 * values that the user has not seen.
 */
export const KEEP_EDITS = { keepDirtyValues: true, keepDirty: true } as const
/** Options of a reset that discards the edits in a form with KEEP_EDITS. Without them, a reset uses the options of the form. */
export const DISCARD_EDITS = { keepDirtyValues: false, keepDirty: false } as const

/**
 * Returns the version of a row that the user of a form has seen. It is the current version until the first edit, and afterwards
 * the version at the time of that edit.
 */
export function useSeenVersion(version: number, isDirty: boolean): RefObject<number> {
  const seen = useRef(version)
  useEffect(() => {
    if (!isDirty) seen.current = version
  }, [version, isDirty])
  return seen
}
