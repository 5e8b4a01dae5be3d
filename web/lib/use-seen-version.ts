import { type RefObject, useEffect, useRef } from 'react'

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
