import { useState } from 'react'
import type { EditedField } from '#shared/contract/documents.ts'
import { isDoi } from '#shared/contract/doi.ts'
import { Button } from '#web/ui/button.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { type Chosen, LookupDialog } from './lookup-dialog.tsx'
import { type ComparedValues, labelsOf } from './lookup-fields.ts'
import styles from './lookup.module.css'

/**
 * The 'Look up' bar of the edit form. It searches metadata of the paper in outside services and compares them with the values
 * of the form. `onChoose` is called with the values that the user chooses; the bar does not save them.
 */
export function FormLookup({
  documentId,
  now,
  edited,
  retracted,
  taken,
  onChoose,
}: {
  documentId: string
  now: () => ComparedValues
  /** The fields that the user has edited, saved or not. */
  edited: () => readonly EditedField[]
  retracted: boolean
  /** The values that the user has already chosen, or null. */
  taken: Chosen | null
  onChoose: (chosen: Chosen) => void
}) {
  const also = labelsOf(taken?.reference ?? {})
  const [asking, setAsking] = useState<ComparedValues | null>(null)
  return (
    <div className={styles.bar}>
      <p className="text-muted-foreground text-meta" role="status">
        {taken
          ? `The chosen fields are in the form below and not saved yet.${also.length > 0 ? ` Of the reference: ${also.join(', ')}.` : ''}`
          : 'OpenAlex and Crossref know most papers by their DOI or title.'}
      </p>
      <PaperMarks retracted={retracted} />
      <Button size="sm" onClick={() => setAsking(now())}>
        Look up
      </Button>
      {asking ? (
        <LookupDialog
          documentId={documentId}
          now={asking}
          edited={edited()}
          retracted={retracted}
          query={asking.doi_link && isDoi(asking.doi_link) ? asking.doi_link : (asking.title ?? undefined)}
          action="Use chosen fields"
          onClose={() => setAsking(null)}
          onChoose={(chosen) => {
            setAsking(null)
            onChoose(chosen)
          }}
        />
      ) : null}
    </div>
  )
}
