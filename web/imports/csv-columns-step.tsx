import { CSV_FIELDS } from '#shared/contract/csv-fields.ts'
import type { ImportPreview } from '#shared/contract/imports.ts'
import { Select } from '#web/ui/select.tsx'
import styles from './imports.module.css'
import type { Columns } from './use-import-files.ts'

/** Value of the option 'Not imported'. The Select of Radix does not accept an empty value. */
const NONE = 'none'
const OPTIONS = [
  { value: NONE, label: 'Not imported' },
  ...Object.entries(CSV_FIELDS).map(([value, label]) => ({ value, label })),
]

/**
 * The step 'Columns' of the import of a CSV file: the user assigns a field to each column. A field can be assigned to one
 * column only.
 */
export function CsvColumnsStep({
  table,
  onChange,
}: {
  table: NonNullable<ImportPreview['columns']>
  onChange: (columns: Columns) => void
}) {
  const fieldAt = (at: number) => Object.entries(table.matched).find(([, column]) => column === at)?.[0]
  const match = (at: number, field: string) => {
    const others = Object.entries(table.matched).filter(([name, column]) => column !== at && name !== field)
    const chosen = field === NONE ? [] : [[field, at] as const]
    onChange(Object.fromEntries([...others, ...chosen]))
  }
  return (
    <fieldset className={styles.columns}>
      <legend>Columns</legend>
      <ul>
        {table.header.map((name, at) => (
          <li key={`${at} ${name}`}>
            <div>
              <b>{name || `Column ${at + 1}`}</b>
              <span>{table.rows[0]?.[at] ?? ''}</span>
            </div>
            <Select
              compact
              aria-label={`Field of ${name || `column ${at + 1}`}`}
              value={fieldAt(at) ?? NONE}
              onChange={(field) => match(at, field)}
              options={OPTIONS}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
