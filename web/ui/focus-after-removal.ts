import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus when the focused element is removed from the page, for example because its row was deleted. Without this, the
 * next Tab would begin at the top of the page. The new focus is the first control of the row that takes the place of the
 * removed row. If there is none, it is the element that `otherwise` returns, by default the heading of the page. `rows` is the
 * CSS selector of the rows. Spread the result on the element around the rows.
 */
export function useFocusAfterRemoval<Box extends HTMLElement>(
  rows: string,
  otherwise: (box: Box | null) => HTMLElement | null = pageHeading,
): { ref: RefObject<Box | null>; onFocus: (event: FocusEvent<Box>) => void } {
  const box = useRef<Box>(null)
  const focused = useRef<{ element: Element; list: Element | null; at: number } | null>(null)
  useEffect(() => {
    if (!focused.current || focused.current.element.isConnected) return
    const { list, at } = focused.current
    focused.current = null
    if (document.activeElement !== document.body) return
    const row = list?.isConnected
      ? rowsOf(list, rows)
          .slice(0, at + 1)
          .at(-1)
      : undefined
    const target = row?.querySelector<HTMLElement>(CONTROLS) ?? otherwise(box.current)
    target?.focus({ preventScroll: true })
  })
  return {
    ref: box,
    onFocus: ({ target, currentTarget }) => {
      // React also reports the focus in a dialog or popover that is rendered elsewhere: it has left the rows.
      focused.current = null
      if (!currentTarget.contains(target)) return
      const row = target.closest(rows)
      const list = row?.parentElement ?? null
      focused.current = { element: target, list, at: row && list ? rowsOf(list, rows).indexOf(row) : 0 }
    },
  }
}

const CONTROLS = 'button:not(:disabled), a[href], input:not(:disabled)'

const rowsOf = (list: Element, rows: string) => [...list.children].filter((one) => one.matches(rows))

function pageHeading(): HTMLElement | null {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) heading.tabIndex = -1
  return heading
}
