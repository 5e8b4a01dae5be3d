import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { DocumentEdit } from '#shared/contract/document-edits.ts'
import { pages } from '#shared/contract/paths.ts'
import { useSession } from '#web/auth/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { documentEditsQuery } from '#web/lib/document-queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EDIT_LABELS } from './edit-values.ts'

/** The button in the record of a paper that shows the values of the analysis before users edited them. */
export function EditedValues({ documentId, address }: { documentId: string; address: string }) {
  const [isOpen, setOpen] = useState(false)
  const edits = useQuery(documentEditsQuery(documentId)).data ?? []
  if (edits.length === 0) return null
  return (
    <>
      <dt>Edited</dt>
      <dd>
        <button type="button" className="text-link text-left" onClick={() => setOpen(true)}>
          {[...new Set(edits.map(({ field }) => EDIT_LABELS[field]))].join(', ')}
        </button>
        {isOpen ? (
          <Dialog
            open
            onOpenChange={setOpen}
            title="Edited values"
            about="Newest first, with the value before each edit"
          >
            <ol className="mt-4.5 flex flex-col gap-4">
              {edits.map((edit) => (
                <li key={`${edit.field} ${edit.edited_at}`}>
                  <Former edit={edit} address={address} />
                </li>
              ))}
            </ol>
            <DialogActions>
              <Button onClick={() => setOpen(false)}>Close</Button>
            </DialogActions>
          </Dialog>
        ) : null}
      </dd>
    </>
  )
}

function Former({
  edit: { field, former, edited_by, edited_at, run },
  address,
}: {
  edit: DocumentEdit
  address: string
}) {
  const { session } = useSession()
  const name = edited_by === null ? 'a deleted account' : edited_by.id === session?.user.id ? 'you' : edited_by.name
  const texts = Array.isArray(former) ? former : former ? [former] : []
  return (
    <>
      <b>{EDIT_LABELS[field]}</b>
      <p className="text-meta text-muted-foreground">
        Changed by {name}, {shortDateAndTime(edited_at)}.{' '}
        {run ? (
          <>
            Before, from{' '}
            <Link className="text-link" to={pages.run(address, run.id)}>
              run {run.number}
            </Link>
            :
          </>
        ) : (
          'Before:'
        )}
      </p>
      {texts.length > 1 ? (
        <ul className="list-disc pl-5 font-serif">
          {texts.map((text, at) => (
            <li key={`${at} ${text}`}>{text}</li>
          ))}
        </ul>
      ) : (
        <p className="font-serif">{texts[0] ?? 'Empty'}</p>
      )}
    </>
  )
}
