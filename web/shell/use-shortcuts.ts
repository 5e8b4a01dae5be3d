import { useEffect, useRef } from 'react'

/** Selector of elements in which the shortcut keys have another use: fields, dialogs and menus. */
const TAKEN = 'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]'
const SCREEN_SEARCH = '#content [role=search] input:not([type=checkbox]), #content input[inputmode=search]'

/**
 * Registers the global shortcuts. Ctrl K (Cmd K) calls `actions.search` everywhere. Outside fields and dialogs, `?` calls
 * `actions.keys`, and `/` focuses the search field of the screen or, if there is none, calls `actions.search`.
 */
export function useShortcuts(enabled: boolean, actions: { search: () => void; keys: () => void }): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      const { target, key } = event
      const commanded = event.ctrlKey || event.metaKey
      const taken = target instanceof HTMLElement && target.closest(TAKEN)
      if (commanded && key.toLowerCase() === 'k') latest.current.search()
      else if (commanded || event.altKey || taken) return
      else if (key === '?') latest.current.keys()
      else if (key === '/') search()
      else return
      event.preventDefault()
    }
    const search = () => {
      const own = document.querySelector<HTMLInputElement>(SCREEN_SEARCH)
      if (own) own.focus()
      else latest.current.search()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [enabled])
}
