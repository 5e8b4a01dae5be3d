import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Compare } from '#web/ui/compare.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'

/** A field that the user and another member changed, with both values as text. */
export interface ChangedField {
  name: string
  label: string
  mine: string
  theirs: string
}

/**
 * A dialog for fields that the user and another member changed. It shows both values of each field and asks which one to save.
 * `onAnswer` is called with the names of the fields for which the user chose the value of the other member, or with null on
 * Cancel.
 */
export function ChangedFields({
  fields,
  onAnswer,
}: {
  fields: readonly ChangedField[]
  onAnswer: (taken: ReadonlySet<string> | null) => void
}) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const choose = (name: string, value: string) => {
    const next = new Set(taken)
    if (value === 'theirs') next.add(name)
    else next.delete(name)
    setTaken(next)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onAnswer(null)}
      wide
      title="Changed in the meantime"
      about="Someone else changed these fields while you edited them. Choose the values to save."
    >
      <div className="mt-4.5 grid grid-cols-1 gap-5">
        {fields.map(({ name, label, mine, theirs }) => (
          <section key={name}>
            <h3 className="mb-2">{label}</h3>
            <Compare
              label={label}
              value={taken.has(name) ? 'theirs' : 'mine'}
              onChange={(value) => choose(name, value)}
              options={[
                { value: 'mine', head: 'Keep mine', text: mine },
                { value: 'theirs', head: 'Take theirs', text: theirs },
              ]}
            />
          </section>
        ))}
      </div>
      <DialogActions>
        <Button variant="ghost" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button variant="primary" onClick={() => onAnswer(taken)}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
