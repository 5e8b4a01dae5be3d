import type { DropdownMenu } from 'radix-ui'
import { createContext, useContext } from 'react'

/** Context with the Radix components for the items of an open menu. Their code is loaded when the first menu opens. */
export const MenuParts = createContext<Pick<typeof DropdownMenu, 'Item' | 'Label' | 'Separator'> | null>(null)

/** Returns the Radix components for menu items. Throws if the caller is not inside a menu. */
export function useMenuParts() {
  const parts = useContext(MenuParts)
  if (!parts) throw new Error('A menu item is inside a menu.')
  return parts
}
