import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { documentTitle } from '#shared/contract/documents.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { useMay } from '#web/lib/rights.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

export interface RowActions {
  view: (row: DocumentRow) => string
  edit: (row: DocumentRow) => string
  onDelete: (row: DocumentRow) => void
}

/** The menu of a row: View for all members; Edit and Delete for members who may edit. */
export function RowMenu({ document, actions }: { document: DocumentRow; actions: RowActions }) {
  const mayEdit = useMay('edit')
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${documentTitle(document)}`}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      <MenuItem asChild>
        <Link to={actions.view(document)}>View</Link>
      </MenuItem>
      {mayEdit ? (
        <>
          <MenuItem asChild>
            <Link to={actions.edit(document)}>Edit</Link>
          </MenuItem>
          <MenuSeparator />
          <MenuItem danger onSelect={() => actions.onDelete(document)}>
            Delete
          </MenuItem>
        </>
      ) : null}
    </Menu>
  )
}
