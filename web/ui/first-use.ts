import { useCallback, useState } from 'react'

/**
 * Loads the code of a component of the design system when the component is first used, because most visits use only a few of
 * them. `load` imports the code. Returns three values. `prepare()` loads the code early, for example when the pointer reaches a
 * button. `show(how)` loads the code and then sets `used`; later calls change nothing. `used` contains the loaded component
 * (`part`) and the `how` of the first call of `show`, for example the event that opens a menu; it is undefined before.
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
