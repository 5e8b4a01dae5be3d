import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Input } from '#web/ui/field.tsx'

const DEBOUNCE_MS = 250

/** What is typed goes on after a short rest; an address that changes by itself (Back) changes the words. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (words: string) => void
}) {
  const [words, setWords] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // The address that only now arrives at what was sent takes away nothing typed since.
    if (value !== sent) {
      setSent(value)
      setWords(value)
    }
  }
  useEffect(() => {
    if (words === sent) return
    const timer = setTimeout(() => {
      setSent(words)
      onChange(words)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [words, sent, onChange])
  return (
    <Input
      type="text"
      inputMode="search"
      placeholder={`${label}...`}
      aria-label={label}
      icon={<Search className="ic" aria-hidden />}
      value={words}
      onChange={({ target }) => setWords(target.value)}
    />
  )
}
