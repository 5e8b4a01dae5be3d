import { useState } from 'react'
import type { CslName } from '#shared/contract/references.ts'
import { listedNames } from '#shared/references/listed-names.ts'
import { counted } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, Textarea } from '#web/ui/field.tsx'
import styles from './reference.module.css'

/** An input for a list of names, which are appended to the existing names. */
export function PasteNames({ onAdd, onClose }: { onAdd: (names: CslName[]) => void; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const names = listedNames(typed)
  return (
    <div className="mt-3">
      <Field label="List of names" hint="One name per line, or names separated by semicolons or by commas and ‘and’.">
        {(ids) => (
          <Textarea {...ids} rows={4} autoFocus value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button size="sm" disabled={names.length === 0} onClick={() => onAdd(names)}>
          Add {counted(names.length, 'name')}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
