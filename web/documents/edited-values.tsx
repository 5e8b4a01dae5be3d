import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { documentEditsQuery } from '#web/lib/update-document.ts'
import { EDIT_LABELS } from './edit-values.ts'

const EditedValuesDialog = lazyPart(() => import('./edited-values-dialog.tsx').then((file) => file.EditedValuesDialog))

/**
 * A row of the facts about a paper: the fields of the analysis that users have edited. A click opens a dialog with the original
 * values.
 */
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
          <Suspense>
            <EditedValuesDialog edits={edits} address={address} onClose={() => setOpen(false)} />
          </Suspense>
        ) : null}
      </dd>
    </>
  )
}
