import type { ReactNode } from 'react'
import type { CslName } from '#shared/contract/references.ts'
import { Field, Input, Textarea } from '#web/ui/field.tsx'
import { DateParts } from './date-parts.tsx'
import { JournalField } from './journal-field.tsx'
import { NamesEditor } from './names-editor.tsx'
import { type FieldName, IN_JOURNALS, labelOf, type ReferenceType } from './reference-fields.ts'
import type { DateValue, ReferenceValues } from './reference-values.ts'

/** The number of rows of each field that has a multi-line input. */
const ROWS: Partial<Record<FieldName, number>> = { title: 2, abstract: 5, note: 3, annote: 3, keyword: 2 }
const WIDE: ReadonlySet<FieldName> = new Set(['title-short', 'URL'])
const SHORT: ReadonlySet<FieldName> = new Set(['volume', 'issue', 'page'])

/** The input for one field of a reference: a text, a list of names, or a date. */
export function ReferenceField({
  name,
  type,
  value,
  known,
  error,
  aside,
  onChange,
}: {
  name: FieldName
  type: ReferenceType
  value: ReferenceValues[FieldName]
  /** The document's current journal name. */
  known: string | null
  error: string | undefined
  /** Shown to the right of the label. */
  aside: ReactNode
  onChange: (value: string | CslName[] | DateValue) => void
}) {
  const label = labelOf(name, type)
  const common = { label, aside, error, onChange }
  if (Array.isArray(value))
    return (
      <div data-field={name} className="col-span-full">
        <NamesEditor {...common} one={label.toLowerCase().replace(/s$/, '')} values={value} />
      </div>
    )
  if (typeof value === 'object')
    return (
      <div data-field={name} className="col-span-full">
        <DateParts {...common} value={value} />
      </div>
    )
  const rows = ROWS[name]
  return (
    <div
      data-field={name}
      className={
        rows || WIDE.has(name)
          ? 'col-span-full'
          : SHORT.has(name)
            ? 'col-span-2 max-md:col-span-full'
            : 'col-span-3 max-md:col-span-full'
      }
    >
      <Field label={label} error={error} aside={aside}>
        {(ids) =>
          name === 'container-title' && IN_JOURNALS.has(type) ? (
            <JournalField ids={ids} value={value} known={known} onChange={onChange} />
          ) : rows ? (
            <Textarea {...ids} rows={rows} reading value={value} onChange={(event) => onChange(event.target.value)} />
          ) : (
            <Input {...ids} autoComplete="off" value={value} onChange={(event) => onChange(event.target.value)} />
          )
        }
      </Field>
    </div>
  )
}
