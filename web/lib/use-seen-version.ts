import { type RefObject, useEffect, useRef } from 'react'

/**
 * Options of a form whose stored values can change while it is open: new values do not replace the user's edits, and the form
 * stays dirty. Without `keepDirty` it would not be dirty, and `useSeenVersion` would take the newer version as seen.
 */
export const KEEP_EDITS = { keepDirtyValues: true, keepDirty: true } as const
/** Options of a reset that discards the edits of such a form. A reset has the options of its form by default. */
export const DISCARD_EDITS = { keepDirtyValues: false, keepDirty: false } as const

/**
 * Returns the version of a row that the user of a form has seen: the current version while the form has no edits, and from the
 * first edit on the version at the time of that edit.
 */
export function useSeenVersion(version: number, isDirty: boolean): RefObject<number> {
  const seen = useRef(version)
  useEffect(() => {
    if (!isDirty) seen.current = version
  }, [version, isDirty])
  return seen
}
