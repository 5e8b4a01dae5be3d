import { createContext, type ReactNode, useContext } from 'react'
import { type ProjectRight, RIGHTS_OF } from '#shared/contract/roles.ts'

/** The default, for screens outside a project: these show only rows that belong to the user. */
const Rights = createContext<readonly ProjectRight[]>(RIGHTS_OF.owner)

/** Sets the rights of the user in the project that the children show. */
export const RightsInProject = ({ may, children }: { may: readonly ProjectRight[]; children: ReactNode }) => (
  <Rights value={may}>{children}</Rights>
)

/** Returns whether the user has the right in the project of the screen. Screens omit the buttons that need a missing right. */
export const useMay = (right: ProjectRight): boolean => useContext(Rights).includes(right)
