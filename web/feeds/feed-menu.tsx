import { Download, Ellipsis, Upload } from 'lucide-react'
import { api } from '#shared/contract/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'

/** The menu that exports and imports the followed feeds as OPML (a file format for lists of feeds). */
export function FeedMenu({
  projectId,
  busy,
  onImport,
}: {
  projectId: string
  busy: boolean
  /** Opens the OPML import; undefined for members who may not follow journals. */
  onImport: (() => void) | undefined
}) {
  return (
    <Menu
      trigger={
        <IconButton label="More about feeds" disabled={busy}>
          <Ellipsis aria-hidden />
        </IconButton>
      }
    >
      {onImport ? (
        <MenuItem onSelect={onImport}>
          <Upload aria-hidden />
          Import OPML
        </MenuItem>
      ) : null}
      <MenuItem asChild>
        <a href={api.subscriptionsOpml({ project_id: projectId })} download="journals.opml">
          <Download aria-hidden />
          Export OPML
        </a>
      </MenuItem>
    </Menu>
  )
}
