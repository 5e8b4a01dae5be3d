import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Combobox } from '#web/ui/combobox.tsx'
import type { FieldIds } from '#web/ui/field.tsx'
import { journalsQuery } from './journal-query.ts'

/** Debounce time of the journal search, in ms. */
const REST_MS = 200

/** An input for a journal name, with suggestions from the journal catalog. Names that are not in the catalog are allowed. */
export function JournalField({
  ids,
  value,
  onChange,
  known,
}: {
  ids: FieldIds
  value: string
  onChange: (name: string) => void
  /** The document's current journal name. */
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
      options={[...new Set(data?.map(({ name }) => name))]}
      newHint={value === known || asked !== value || !data ? undefined : 'A new journal with this name is added.'}
    />
  )
}
