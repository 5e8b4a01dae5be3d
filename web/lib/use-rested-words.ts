import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 250

/**
 * Returns the text of a debounced search field and the function that sets it. `onChange` is called with the trimmed text 250 ms
 * after the last key press. If `value` changes for another reason (Back, a link), it replaces the typed text. If `value` only
 * repeats the last argument of `onChange`, text that was typed since then and typed spaces stay.
 */
export function useRestedWords(
  value: string,
  onChange: (words: string) => void,
): [words: string, setWords: (words: string) => void] {
  const [words, setWords] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value.trim())
  if (value !== seen) {
    setSeen(value)
    if (value.trim() !== sent) {
      setSent(value.trim())
      setWords(value)
    }
  }
  const rested = words.trim()
  // Reruns when `onChange` changes, so that a filter chosen during the delay is included.
  useEffect(() => {
    if (rested === sent) return
    const timer = setTimeout(() => {
      setSent(rested)
      onChange(rested)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [rested, sent, onChange])
  return [words, setWords]
}
