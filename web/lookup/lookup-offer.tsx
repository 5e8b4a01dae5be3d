import { Suspense, useState } from 'react'
import type { DocumentPatch } from '#shared/contract/document-edits.ts'
import type { DocumentDetail, EditedField } from '#shared/contract/documents.ts'
import { messageOf } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useUpdateDocument } from '#web/lib/update-document.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import type { Chosen } from './lookup-dialog.tsx'
import type { LookedUpFields } from './lookup-fields.ts'
import styles from './lookup.module.css'

const LookupDialog = lazyPart(() => import('./lookup-dialog.tsx').then((file) => file.LookupDialog))

/** Returns the patch that saves looked-up fields and marks all of them as looked up. */
const lookedUpPatch = (
  fields: Partial<LookedUpFields>,
  { retracted, semantic_paperid, reference }: Pick<Chosen, 'retracted' | 'semantic_paperid' | 'reference'>,
): DocumentPatch => ({
  ...fields,
  ...(Object.keys(reference).length > 0 ? { reference } : {}),
  looked_up: Object.keys({ ...fields, ...reference }).map((name) =>
    name === 'issued' ? 'publication_date' : name,
  ) as EditedField[],
  retracted,
  ...(semantic_paperid ? { semantic_paperid } : {}),
})

const KEY = 'lectern.lookup-declined'
const declined = () => new Set((sessionStorage.getItem(KEY) ?? '').split(' '))

/**
 * Offers the metadata look-up of a document after its text extraction, until the metadata were checked or the user declines.
 */
export function LookupOffer({ document }: { document: DocumentDetail }) {
  const [open, setOpen] = useState(false)
  const [hidden, setHidden] = useState(() => declined().has(document.id))
  const saving = useUpdateDocument(document.id)
  if (hidden || !document.extracted_text || document.metadata_checked_at) return null
  const decline = () => {
    sessionStorage.setItem(KEY, [...declined(), document.id].join(' '))
    setHidden(true)
  }
  return (
    <div className={styles.offer}>
      <p>Title, authors, journal and date can be checked with OpenAlex and Crossref.</p>
      <div className={styles.actions}>
        <Button size="sm" onClick={() => setOpen(true)}>
          Look up
        </Button>
        <Button size="sm" variant="ghost" onClick={decline}>
          Not now
        </Button>
      </div>
      {open ? (
        <Suspense>
          <LookupDialog
            documentId={document.id}
            now={document}
            edited={document.edited_fields}
            retracted={document.retracted}
            action="Save chosen fields"
            busy={saving.isPending}
            onClose={() => setOpen(false)}
            onChoose={({ fields, semantic_paperid, retracted, reference }) =>
              whenDone(
                saving.mutateAsync({
                  ...lookedUpPatch(fields, { retracted, semantic_paperid, reference }),
                  version: document.version,
                }),
                {
                  onSuccess: () => {
                    setOpen(false)
                    toast({ title: 'Document updated', description: 'Changes saved successfully' })
                  },
                  onError: (error) =>
                    toast({ title: 'Error updating document', description: messageOf(error), destructive: true }),
                },
              )
            }
          />
        </Suspense>
      ) : null}
    </div>
  )
}
