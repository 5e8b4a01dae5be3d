import { type RefObject, useEffect, useRef } from 'react'

/**
 * Options of a form whose stored values can change while it is open: fields with edits keep them, and the form stays edited.
 * Without `keepDirty` it would count as unedited, and `useSeenVersion` would take the newer version as seen.
 */
export const KEEP_EDITS = { keepDirtyValues: true, keepDirty: true } as const
/** Options of a reset that discards the edits of such a form. A reset has the options of its form by default. */
export const DISCARD_EDITS = { keepDirtyValues: false, keepDirty: false } as const

/**
 * The version of a row that the user of a form has seen: the current version while the form has no edits, then that of the
 * first edit.
 */
export function useSeenVersion(version: number, isDirty: boolean): RefObject<number> {
  const seen = useRef(version)
  useEffect(() => {
    if (!isDirty) seen.current = version
  }, [version, isDirty])
  return seen
}
