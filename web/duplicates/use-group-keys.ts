import { type RefObject, useEffect, useRef } from 'react'

/** Selector of elements in which letter keys have another use, such as typing. The shortcuts do nothing there. */
const TAKEN =
  'input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/**
 * Registers the keyboard shortcuts for the list of duplicate groups. Arrow up and down call `move`. Arrow left and right, J, N
 * and L press the button of the current group whose `data-key` is this key. In a radio button, the arrow keys keep their normal
 * function.
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
