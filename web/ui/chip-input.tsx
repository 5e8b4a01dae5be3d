import { useEffect, useRef, useState, type MouseEvent } from 'react'
import { Button } from './button.tsx'
import { Input } from './field.tsx'
import type { FieldIds } from './field.tsx'
import { useFocusAfterRemoval } from './focus-after-removal.ts'
import styles from './marks.module.css'
import { Chip } from './marks.tsx'

const SUGGESTED = 12

/**
 * An input for a list of short texts, shown as chips. Enter, the Add button or leaving the field adds the typed text. Blank
 * texts and duplicates are ignored. `separator` divides a typed or pasted list. With `matchesKnown`, a typed text that differs
 * from a suggestion only in case gets the case of the suggestion. `onDraft` receives the typed text that is not added yet.
 */
export function ChipInput({
  ids,
  values,
  onChange,
  onDraft,
  suggestions,
  matchesKnown = false,
  separator,
  placeholder,
}: {
  ids: FieldIds
  values: readonly string[]
  onChange: (values: string[]) => void
  onDraft?: (draft: string) => void
  suggestions: readonly string[]
  matchesKnown?: boolean
  separator?: RegExp
  placeholder?: string
}) {
  const [draft, showDraft] = useState('')
  const setDraft = (text: string) => {
    showDraft(text)
    onDraft?.(text)
  }
  const chips = useRef<HTMLDivElement>(null)
  const isAdded = useRef(false)
  const focusProps = useFocusAfterRemoval<HTMLDivElement>(
    '[data-slot=chip]',
    (box) => box?.querySelector('input') ?? null,
  )
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
    const added = new Map<string, string>()
    for (const part of separator ? raw.split(separator) : [raw]) {
      const typed = part.trim()
      const key = typed.toLowerCase()
      const known = matchesKnown && suggestions.find((word) => word.toLowerCase() === key)
      if (typed && !chosen.has(key) && !added.has(key)) added.set(key, known || typed)
    }
    if (added.size > 0) onChange([...values, ...added.values()])
    setDraft('')
    isAdded.current = true
  }
  return (
    <div
      {...focusProps}
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
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text')
            if (!separator?.test(pasted.trim())) return
            event.preventDefault()
            add(pasted)
          }}
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

/**
 * Prevents a click on a button from moving the focus, because leaving the field would add the typed text before a clicked
 * suggestion.
 */
const keepFocus = (event: MouseEvent) => event.preventDefault()
