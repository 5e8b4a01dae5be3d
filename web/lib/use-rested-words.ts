import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 250

/**
 * State of a debounced search field. `onChange` is called 250 ms after the last key press. If `value` changes for another
 * reason (Back, a link), it replaces the typed words. If `value` only repeats the last argument of `onChange`, newer typed
 * words stay.
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
