import { type RefObject, useEffect, useRef } from 'react'

/** Elements that use letters themselves. */
const TAKEN =
  'input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/**
 * Registers the keys of the groups: up and down call `move`; left, right, J, N and L press the buttons of the current
 * group with the same `data-key`. A radio button uses the arrows itself.
 */
export function useGroupKeys(list: RefObject<HTMLElement | null>, move: (by: number) => void): void {
  const latest = useRef(move)
  useEffect(() => {
    latest.current = move
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey, repeat } = event
      if (ctrlKey || metaKey || altKey || document.querySelector('[role=dialog], [role=alertdialog]')) return
      if (target instanceof HTMLElement && target.closest(TAKEN)) return
      const isArrow = key.startsWith('Arrow')
      if (isArrow && target instanceof HTMLInputElement) return
      const card = list.current?.querySelector<HTMLElement>('[aria-current=true]')
      if (!card) return
      if (key === 'ArrowUp' || key === 'ArrowDown') latest.current(key === 'ArrowDown' ? 1 : -1)
      else {
        const button = card.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(key.toLowerCase())}"]`)
        // A key that is held down must not join one group after the other.
        if (!button || repeat) return
        button.click()
      }
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [list])
}
