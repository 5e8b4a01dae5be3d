import { skipToken, useIsMutating, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { OpmlResult } from '#shared/contract/feeds.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { opmlKey, useImportOpml } from './queries.ts'

const followed = ({ subscribed }: OpmlResult) => `${counted(subscribed, 'journal')} followed`
const notRead = ({ refused }: OpmlResult) => `${counted(refused.length, 'feed')} could not be read`

/**
 * Returns functions and elements for the import of an OPML file (a list of feeds from another feed reader). `choose` opens the
 * file picker. The caller must render `input`, which contains the file picker, the progress of the import and the list of feeds
 * that could not be followed. `busy` is true during an import, also if it was started before the caller was mounted.
 */
export function useOpmlImport(projectId: string) {
  const input = useRef<HTMLInputElement>(null)
  const importing = useImportOpml(projectId)
  const queryKey = opmlKey(projectId)
  const busy = useIsMutating({ mutationKey: queryKey }) > 0
  const { data: result } = useQuery<OpmlResult | null>({ queryKey, queryFn: skipToken, gcTime: Infinity })
  const setResult = (next: OpmlResult | null) => queryClient.setQueryData(queryKey, next)
  const read = (file: File) =>
    whenDone(importing.mutateAsync(file), {
      onSuccess: (imported) => {
        const isWhole = imported.refused.length === 0
        setResult(isWhole ? null : imported)
        toast({ title: isWhole ? followed(imported) : `${followed(imported)}, ${notRead(imported)}` })
      },
      onError: (error) => toast({ title: 'Import failed', description: messageOf(error), destructive: true }),
    })
  return {
    busy,
    choose: () => input.current?.click(),
    input: (
      <>
        {busy ? <Waiting>Reading the feeds of the file</Waiting> : null}
        {result ? <RefusedFeeds result={result} onClose={() => setResult(null)} /> : null}
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
      title={notRead(result)}
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
