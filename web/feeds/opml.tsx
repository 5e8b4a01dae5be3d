import { useRef, useState } from 'react'
import type { OpmlResult } from '#shared/contract/feeds.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { useImportOpml } from './queries.ts'

const followed = ({ subscribed }: OpmlResult) => `${counted(subscribed, 'journal')} followed`

/**
 * Imports an OPML file (a list of feeds) of another feed reader. `choose` opens the file picker. The caller must render
 * `input`, which also shows the progress of the import and the feeds that could not be followed.
 */
export function useOpmlImport(projectId: string) {
  const input = useRef<HTMLInputElement>(null)
  const importing = useImportOpml(projectId)
  const [result, setResult] = useState<OpmlResult>()
  const read = (file: File) =>
    whenDone(importing.mutateAsync(file), {
      onSuccess: (imported) =>
        imported.refused.length > 0 ? setResult(imported) : toast({ title: followed(imported) }),
      onError: (error) => toast({ title: 'Import failed', description: messageOf(error), destructive: true }),
    })
  return {
    busy: importing.isPending,
    choose: () => input.current?.click(),
    input: (
      <>
        {importing.isPending ? <Waiting>Reading the feeds of the file</Waiting> : null}
        {result ? <RefusedFeeds result={result} onClose={() => setResult(undefined)} /> : null}
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
      </>
    ),
  }
}

/** The feeds of an imported OPML file that could not be followed, with the reasons. */
function RefusedFeeds({ result, onClose }: { result: OpmlResult; onClose: () => void }) {
  const { refused } = result
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${counted(refused.length, 'feed')} could not be read`}
      about={`${followed(result)}. The other feeds of the file are not followed.`}
    >
      <ul className="mt-4 flex flex-col gap-3 wrap-anywhere">
        {refused.map(({ address, reason }) => (
          <li key={address}>
            <b>{address}</b>
            <p className="text-muted-foreground">{reason}</p>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Close the list</Button>
      </DialogActions>
    </Dialog>
  )
}
