import { Search } from 'lucide-react'
import { useRestedWords } from '#web/lib/use-rested-words.ts'
import { Input } from '#web/ui/field.tsx'

/** A debounced search field. Shows the new `value` when the URL changes, for example with the Back button. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (words: string) => void
}) {
  const [words, setWords] = useRestedWords(value, onChange)
  return (
    <Input
      type="text"
      inputMode="search"
      placeholder={`${label}...`}
      aria-label={label}
      icon={<Search aria-hidden />}
      value={words}
      onChange={({ target }) => setWords(target.value)}
    />
  )
}
