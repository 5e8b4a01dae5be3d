import { Link } from '@tanstack/react-router'
import type { DocumentEdit } from '#shared/contract/document-edits.ts'
import { pages } from '#shared/contract/paths.ts'
import { useSession } from '#web/auth/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { EDIT_LABELS } from './edit-values.ts'

/**
 * The dialog that lists how users edited values that an analysis wrote, newest edit first. It shows the value before each edit.
 */
export function EditedValuesDialog({
  edits,
  address,
  onClose,
}: {
  edits: readonly DocumentEdit[]
  address: string
  onClose: () => void
}) {
  return (
    <Dialog open onOpenChange={onClose} title="Edited values" about="Newest first, with the value before each edit">
      <ol className="mt-4.5 flex flex-col gap-4">
        {edits.map((edit) => (
          <li key={`${edit.field} ${edit.edited_at}`}>
            <Former edit={edit} address={address} />
          </li>
        ))}
      </ol>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
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
