import { createContext, type ReactNode, useContext } from 'react'
import { type ProjectRight, RIGHTS_OF } from '#shared/contract/roles.ts'

/**
 * The rights of the user in the project of the screen. The default is for screens outside a project, which show only rows of
 * the user.
 */
const Rights = createContext<readonly ProjectRight[]>(RIGHTS_OF.owner)

/** Sets the rights that `useMay` checks in `children`: the rights of the user in the shown project. */
export const RightsInProject = ({ may, children }: { may: readonly ProjectRight[]; children: ReactNode }) => (
  <Rights value={may}>{children}</Rights>
)

/**
 * Returns whether the user has a right in the project of the screen. Screens do not show buttons for actions without the right.
 */
export const useMay = (right: ProjectRight): boolean => useContext(Rights).includes(right)
