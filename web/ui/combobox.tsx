import { useId, useState } from 'react'
import { cn } from './class-names.ts'
import fieldStyles from './field.module.css'
import type { FieldIds } from './field.tsx'
import { Input } from './field.tsx'
import styles from './menu.module.css'

const SHOWN = 8

/**
 * A text field with suggestions. Texts that are not suggested are allowed. Enter accepts the typed text or the highlighted
 * suggestion, and does not submit the form.
 */
export function Combobox({
  ids,
  value,
  onChange,
  options,
  newHint,
}: {
  ids: FieldIds
  value: string
  onChange: (value: string) => void
  options: readonly string[]
  /** Hint that is shown if the typed text is not one of the options. */
  newHint: string | undefined
}) {
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const words = value.trim().toLowerCase()
  const shown = options.filter((option) => option.toLowerCase().includes(words)).slice(0, SHOWN)
  const known = options.some((option) => option.toLowerCase() === words)
  const visible = open && shown.length > 0 && !(shown.length === 1 && known)
  const take = (option: string) => {
    onChange(option)
    setOpen(false)
    setActive(-1)
  }
  return (
    <div className="relative">
      <Input
        {...ids}
        role="combobox"
        aria-expanded={visible}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={visible && active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        value={value}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          onChange(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            setOpen(true)
            const step = event.key === 'ArrowDown' ? 1 : -1
            setActive((now) => (shown.length === 0 ? -1 : (now + step + shown.length) % shown.length))
          } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            event.preventDefault()
            const chosen = visible ? shown[active] : undefined
            take(chosen ?? value)
          } else if (event.key === 'Escape' && visible) {
            event.stopPropagation()
            setOpen(false)
          }
        }}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        className={cn(styles.menu, 'absolute top-full right-0 left-0 mt-1 max-w-none')}
        hidden={!visible}
      >
        {shown.map((option, index) => (
          <div
            key={option}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.menuItem}
            data-highlighted={index === active ? '' : undefined}
            // On mousedown, because the click would blur the field and close the list first.
            onMouseDown={(event) => {
              event.preventDefault()
              take(option)
            }}
          >
            {option}
          </div>
        ))}
      </div>
      {newHint && words && !known && !ids['aria-invalid'] ? <p className={fieldStyles.hint}>{newHint}</p> : null}
    </div>
  )
}
