import { useRef, useState } from 'react'
import { IDENTIFIERS_MAX, linesOf, TOO_MANY_LINES } from '#shared/contract/identifiers.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useUnsavedWarning } from '#web/lib/use-unsaved-warning.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Textarea } from '#web/ui/field.tsx'
import styles from './identifiers.module.css'
import { LookUpList } from './look-up-list.tsx'
import { type LookUpRow, lookUpRows } from './look-up-rows.ts'
import { useAddPapers } from './use-add-papers.ts'
import { useLookUp } from './use-look-up.ts'

/** 'From identifiers': looks up pasted identifiers and adds the found papers to the project. */
export function IdentifiersDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const lines = linesOf(text)
  const { results, retry, isTooLong } = useLookUp(project.id, lines)
  const rows = isTooLong ? [] : lookUpRows(lines, results)
  const papers = rows.flatMap(({ state, result }) => (state === 'found' && result?.paper ? [result.paper] : []))
  const looking = rows.filter(({ state }) => state === 'looking').length
  const adding = useAddPapers(project.id)
  // Nothing is left to add if the project has all papers of the text.
  const leaving = useUnsavedWarning(isTooLong || rows.some(({ state }) => state !== 'here' && state !== 'repeated'))
  const leave = () => leaving.leave(onClose)
  const add = () =>
    whenDone(adding.mutateAsync(papers), {
      onSuccess: ({ created, existing }) => {
        const rest =
          existing > 0 ? `${counted(existing, 'paper')} of these were already in ${project.name}.` : undefined
        toast({ title: `${counted(created, 'paper')} added`, ...(rest ? { description: rest } : {}) })
        leaving.allow()
        onClose()
      },
      onError: (error) => toast({ title: 'Papers not added', description: messageOf(error), destructive: true }),
    })
  const select = (row: LookUpRow) => {
    const [from, to] = placeOfLine(text, row.at)
    input.current?.focus()
    input.current?.setSelectionRange(from, to)
  }
  return (
    <Dialog
      open
      onOpenChange={leave}
      wide
      title="From identifiers"
      about={`Into ${project.name}`}
      locked={adding.isPending}
    >
      <Field
        className="mt-4.5"
        label="DOIs, PMIDs, PMCIDs, arXiv ids, ISBNs or addresses, one per line"
        hint={`${lines.length} of at most ${IDENTIFIERS_MAX} lines`}
        error={isTooLong ? TOO_MANY_LINES : undefined}
      >
        {(ids) => (
          <Textarea
            {...ids}
            ref={input}
            rows={6}
            className={styles.input}
            value={text}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {rows.length > 0 ? (
        <LookUpList rows={rows} address={project.address} onChangeLine={select} onRetry={retry} />
      ) : null}
      <DialogActions>
        <span className="mr-auto self-center text-meta text-muted-foreground tabular-nums">
          {looking > 0 ? `Looking up ${rows.length - looking + 1} of ${rows.length}` : null}
        </span>
        <Button variant="ghost" disabled={adding.isPending} onClick={leave}>
          Cancel
        </Button>
        <Button variant="primary" disabled={papers.length === 0 || adding.isPending} onClick={add}>
          {adding.isPending ? 'Adding...' : `Add ${counted(papers.length, 'paper')}`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/**
 * Returns the start and end offsets in `text` of the line with index `at` (from 0). Empty lines are not counted. If there is no
 * such line, both offsets are the end of the text.
 */
function placeOfLine(text: string, at: number): [from: number, to: number] {
  let from = 0
  let count = -1
  for (const line of text.split('\n')) {
    if (line.trim() && ++count === at) return [from, from + line.length]
    from += line.length + 1
  }
  return [text.length, text.length]
}
