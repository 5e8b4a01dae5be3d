import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { Button } from './button.tsx'
import { Input } from './field.tsx'
import type { FieldIds } from './field.tsx'
import styles from './marks.module.css'
import { Chip } from './marks.tsx'

const SUGGESTED = 12

/**
 * An input for a list of short words, shown as chips. Enter, the Add button or leaving the field adds the word. Blank
 * words and duplicates are ignored. With `matchesKnown` a suggestion that differs only in case replaces the typed spelling.
 */
export function ChipInput({
  ids,
  values,
  onChange,
  suggestions,
  matchesKnown = false,
  placeholder,
}: {
  ids: FieldIds
  values: readonly string[]
  onChange: (values: string[]) => void
  suggestions: readonly string[]
  matchesKnown?: boolean
  placeholder?: string
}) {
  const [draft, setDraft] = useState('')
  const chips = useRef<HTMLDivElement>(null)
  const isAdded = useRef(false)
  // In a dialog the new chip can be below the visible area.
  useEffect(() => {
    if (isAdded.current) chips.current?.scrollIntoView({ block: 'nearest' })
    isAdded.current = false
  }, [values])
  const chosen = new Set(values.map((value) => value.toLowerCase()))
  const offered = suggestions
    .filter((word) => word.toLowerCase().includes(draft.trim().toLowerCase()))
    .slice(0, SUGGESTED)
  const add = (raw: string) => {
    const typed = raw.trim()
    const known = matchesKnown && suggestions.find((word) => word.toLowerCase() === typed.toLowerCase())
    const word = known || typed
    if (word && !chosen.has(word.toLowerCase())) onChange([...values, word])
    setDraft('')
    isAdded.current = true
  }
  return (
    <div
      className="grid gap-2"
      // A typed word is added when the field loses focus, so that saving includes it.
      onBlur={(event) => {
        if (draft && !event.currentTarget.contains(event.relatedTarget)) add(draft)
      }}
    >
      <div className="flex gap-2">
        <Input
          {...ids}
          value={draft}
          placeholder={placeholder}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            // Input methods use Enter to accept a composition.
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            add(draft)
          }}
        />
        <Button disabled={!draft.trim()} onMouseDown={keepFocus} onClick={() => add(draft)}>
          Add
        </Button>
      </div>
      {values.length > 0 ? (
        <div className={styles.chips} ref={chips}>
          {values.map((value) => (
            <Chip
              key={value}
              removeLabel={`Remove ${value}`}
              onRemove={() => onChange(values.filter((one) => one !== value))}
            >
              {value}
            </Chip>
          ))}
        </div>
      ) : null}
      {offered.length > 0 ? (
        <div className={styles.chips} role="group" aria-label="Suggestions">
          <span className="text-muted-foreground text-meta">Suggestions</span>
          {offered.map((word) => (
            <button
              key={word}
              type="button"
              className={styles.suggestion}
              disabled={chosen.has(word.toLowerCase())}
              onMouseDown={keepFocus}
              onClick={() => add(word)}
            >
              {word}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

/** Keeps the focus, because leaving the field would add the typed word before the clicked one. */
const keepFocus = (event: MouseEvent) => event.preventDefault()
