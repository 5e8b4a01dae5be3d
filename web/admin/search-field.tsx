import { Search } from 'lucide-react'
import { useRestedWords } from '#web/lib/use-rested-words.ts'
import { Input } from '#web/ui/field.tsx'

/** A debounced search field. Follows changes of the address (Back). */
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
