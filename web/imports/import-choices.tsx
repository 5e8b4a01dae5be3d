import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { tagsQuery } from '#web/projects/index.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { Field } from '#web/ui/field.tsx'
import styles from './imports.module.css'
import type { Choices } from './use-import-files.ts'

type Tick = Exclude<keyof Choices, 'tags'>
const TICKS: [name: Tick, label: string, about: string][] = [
  ['join', 'Join duplicates', 'Certain ones at once; the rest wait under Duplicates.'],
  ['keepKeys', 'Keep citation keys', 'A key already in use gets a letter at its end.'],
  ['fetch', 'Fetch open-access PDFs', 'After the import, where a licence allows it.'],
]
const GROUPS: (typeof TICKS)[number] = [
  'groups',
  'Import groups as tags',
  'The groups of JabRef become tags of the papers.',
]

/** The import options that apply to all files of the dialog. */
export function ImportChoices({
  choices,
  hasGroups,
  onChange,
}: {
  choices: Choices
  /** True if a file has groups of references, which can become tags. */
  hasGroups: boolean
  onChange: (choices: Choices) => void
}) {
  const id = useId()
  const tags = useQuery(tagsQuery)
  return (
    <div className={styles.choices}>
      {[...TICKS, ...(hasGroups ? [GROUPS] : [])].map(([name, label, about]) => (
        <div key={name} className={styles.choice}>
          <Checkbox
            id={`${id}-${name}`}
            checked={choices[name]}
            onChange={(checked) => onChange({ ...choices, [name]: checked })}
          />
          <div>
            <label htmlFor={`${id}-${name}`}>{label}</label>
            <p>{about}</p>
          </div>
        </div>
      ))}
      <Field label="Add tags" className="col-span-full max-w-xl">
        {(ids) => (
          <ChipInput
            ids={ids}
            values={choices.tags}
            onChange={(next) => onChange({ ...choices, tags: next })}
            suggestions={(tags.data ?? []).map(({ name }) => name)}
            matchesKnown
            separator={/[,;\n]/}
            placeholder="Tags for every imported paper"
          />
        )}
      </Field>
    </div>
  )
}
