import { createContext, type ReactNode, useContext } from 'react'
import { type ProjectRight, RIGHTS_OF } from '#shared/contract/roles.ts'

/** Outside a project the screens show rows of the user alone. */
const Rights = createContext<readonly ProjectRight[]>(RIGHTS_OF.owner)

/** Sets the rights of the user in the project of the screens below. */
export const RightsInProject = ({ may, children }: { may: readonly ProjectRight[]; children: ReactNode }) => (
  <Rights value={may}>{children}</Rights>
)

/** Returns whether the user has the right in the project of the screen. Buttons without it are not rendered. */
export const useMay = (right: ProjectRight): boolean => useContext(Rights).includes(right)
