import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 250

/**
 * State of a search field. `onChange` gets the words 250 ms after the last key. A `value` that changes from outside
 * (Back, a link) replaces the words. A `value` equal to the last words passed to `onChange` does not, so newer typing stays.
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
  // Reruns when `onChange` changes, so that a filter chosen during the delay is included.
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
