import { useCallback, useState } from 'react'

/**
 * Loads the code of a component of the design system when it is first used, because most visits use only a few of them. Returns
 * three values. `prepare()` loads the code, for example when the pointer reaches a button. `show(how)` loads the code and then
 * sets `used`. `used` is the loaded component and the `how` of the first call of `show`; undefined before that call. Later
 * calls of `show` change nothing.
 */
export function useFirstUse<Part, How>(load: () => Promise<Part>) {
  const [used, setUsed] = useState<{ part: Part; how: How }>()
  // A failure is reported by `show`.
  const prepare = useCallback(() => void load().catch(() => undefined), [load])
  const show = useCallback(
    (how: How) => void load().then((part) => setUsed((before) => before ?? { part, how })),
    [load],
  )
  return { used, prepare, show }
}
