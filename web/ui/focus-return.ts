import { useState } from 'react'

/** Where the focus is when a dialog opens; from an item of a menu that closes, the button that opened the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role=menu]')
  const opener = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/**
 * Lets the focus return to where it came from when a dialog closes. The library knows only of buttons that are part of
 * the dialog; ours are opened by whatever asks for them.
 */
export function useFocusReturn(open: boolean) {
  const [wasOpen, setWasOpen] = useState(false)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  // Looked up before the dialog is drawn: a field of it may take the focus at once.
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setOpener(openerOf(document.activeElement))
  }
  return {
    onCloseAutoFocus: (event: Event) => {
      // What was deleted or left behind has taken its button with it.
      if (!opener?.isConnected) return
      event.preventDefault()
      opener.focus()
    },
  }
}
