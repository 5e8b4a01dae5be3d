import { useEffect, useRef } from 'react'

/** Ctrl K (Cmd K) anywhere, and `?` outside fields and dialogs. */
export function useShortcuts(enabled: boolean, actions: { search: () => void; keys: () => void }): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      const { target } = event
      const writing =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]')
      const commanded = event.ctrlKey || event.metaKey
      if (commanded && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.search()
      } else if (event.key === '?' && !commanded && !writing) {
        event.preventDefault()
        latest.current.keys()
      }
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [enabled])
}
