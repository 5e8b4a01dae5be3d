import { useRef } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { useImportOpml } from './queries.ts'

/** Imports an OPML file of another feed reader. `choose` opens the file picker; render `input` on the page. */
export function useOpmlImport(projectId: string) {
  const input = useRef<HTMLInputElement>(null)
  const importing = useImportOpml(projectId)
  const read = (file: File) =>
    whenDone(importing.mutateAsync(file), {
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
  return {
    busy: importing.isPending,
    choose: () => input.current?.click(),
    input: (
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
    ),
  }
}
