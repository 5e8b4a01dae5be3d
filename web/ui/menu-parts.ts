import type { DropdownMenu } from 'radix-ui'
import { createContext, useContext } from 'react'

/** The Radix components of the items of an open menu. Their code is loaded with the first menu. */
export const MenuParts = createContext<Pick<typeof DropdownMenu, 'Item' | 'Label' | 'Separator'> | null>(null)

/** Returns the components of the menu items. Throws outside a menu. */
export function useMenuParts() {
  const parts = useContext(MenuParts)
  if (!parts) throw new Error('A menu item is inside a menu.')
  return parts
}
