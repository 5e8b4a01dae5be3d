import { useState } from 'react'

/**
 * Returns the element to which the focus returns when a dialog closes: the focused element. For a menu item it is the button of
 * the menu, because the menu closes.
 */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/**
 * Returns the focus to the element that opened a dialog when the dialog closes. Returns props to spread on the content of the
 * dialog. Radix does this only for dialogs with a trigger component, which the dialogs of this app do not have.
 */
export function useFocusReturn(open: boolean) {
  const [wasOpen, setWasOpen] = useState(false)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  // Read before the dialog renders, because a field of the dialog can take the focus at once.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpener(openerOf(document.activeElement))
  }
  return {
    onCloseAutoFocus: (event: Event) => {
      // The opener may have unmounted.
      if (!opener?.isConnected) return
      event.preventDefault()
      opener.focus()
    },
  }
}
