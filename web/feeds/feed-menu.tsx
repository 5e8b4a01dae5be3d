import { Download, Ellipsis, Upload } from 'lucide-react'
import { useRef } from 'react'
import { api } from '#shared/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { useImportOpml } from './queries.ts'

/** Takes what is followed to another feed reader, and brings it from one. */
export function FeedMenu({ projectId }: { projectId: string }) {
  const input = useRef<HTMLInputElement>(null)
  const importing = useImportOpml(projectId)
  const read = (file: File) =>
    importing.mutate(file, {
      onSuccess: ({ subscribed, refused }) =>
        toast({
          title: `${counted(subscribed, 'journal')} followed`,
          description: refused[0]
            ? `${counted(refused.length, 'feed')} could not be read. ${refused[0].address}: ${refused[0].reason}`
            : undefined,
          destructive: refused.length > 0,
        }),
      onError: (error) => toast({ title: 'Import failed', description: messageOf(error), destructive: true }),
    })
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept=".opml,.xml,text/x-opml"
        aria-label="OPML file"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) read(file)
        }}
      />
      <Menu
        trigger={
          <IconButton label="More about feeds" disabled={importing.isPending}>
            <Ellipsis className="ic" aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => input.current?.click()}>
          <Upload className="ic" aria-hidden />
          Import OPML
        </MenuItem>
        <MenuItem asChild>
          <a href={api.subscriptionsOpml({ project_id: projectId })} download="journals.opml">
            <Download className="ic" aria-hidden />
            Export OPML
          </a>
        </MenuItem>
      </Menu>
    </>
  )
}
