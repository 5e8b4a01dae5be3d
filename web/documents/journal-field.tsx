import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Combobox } from '#web/ui/combobox.tsx'
import type { FieldIds } from '#web/ui/field.tsx'
import { journalsQuery } from './queries.ts'

/** While somebody types, the catalogue is asked when the fingers rest. */
const REST_MS = 200

/** The name of a journal, with suggestions from the whole catalogue; a name that is not in it may be typed as well. */
export function JournalField({
  ids,
  value,
  onChange,
  known,
}: {
  ids: FieldIds
  value: string
  onChange: (name: string) => void
  /** The name that the document has already. */
  known: string | null
}) {
  const [asked, setAsked] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  const { data } = useQuery({ ...journalsQuery(asked.trim()), placeholderData: keepPreviousData })
  return (
    <Combobox
      ids={ids}
      value={value}
      onChange={onChange}
      options={data?.map(({ name }) => name) ?? []}
      newHint={value === known || asked !== value || !data ? undefined : 'A new journal of this name is added.'}
    />
  )
}
