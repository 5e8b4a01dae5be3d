import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 250

/**
 * The words of a search field, and how to change them; `onChange` gets them after a short rest. A `value` that changes by
 * itself (Back, a link) replaces them, but one that only now arrives at what was sent takes away nothing typed since.
 */
export function useRestedWords(
  value: string,
  onChange: (words: string) => void,
): [words: string, setWords: (words: string) => void] {
  const [words, setWords] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) {
      setSent(value)
      setWords(value)
    }
  }
  // Asked anew with every render, so that a filter chosen while words wait is not lost with them.
  useEffect(() => {
    if (words === sent) return
    const timer = setTimeout(() => {
      setSent(words)
      onChange(words)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [words, sent, onChange])
  return [words, setWords]
}
