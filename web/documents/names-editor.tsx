import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { CslName } from '#shared/contract/references.ts'
import { displayName } from '#shared/references/names.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { NameInputs } from './name-inputs.tsx'
import { PasteNames } from './paste-names.tsx'
import styles from './reference.module.css'

/**
 * Edits the names of one field, for example the authors. A name has a family name, given names and a suffix, or it is a single
 * text, for example the name of an organization. Alt and an arrow key move the name of the focused input.
 */
export function NamesEditor({
  label,
  one,
  aside,
  values,
  error,
  onChange,
}: {
  /** The heading, for example 'Authors'. */
  label: string
  /** The singular in the labels of buttons, for example 'author'. */
  one: string
  /** Shown to the right of the label. */
  aside: ReactNode
  values: readonly CslName[]
  error: string | undefined
  onChange: (values: CslName[]) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  const [pasting, setPasting] = useState(false)
  /** Focuses the input with index `input` of the row with index `row` after the next render. */
  const focus = (row: number, input = 0) =>
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>('[role=group]') ?? []
      rows[Math.min(row, rows.length - 1)]?.querySelectorAll('input').item(input)?.focus()
    })
  const put = (at: number, name: CslName) => onChange(values.with(at, name))
  const move = (from: number, to: number, input?: number) => {
    if (to < 0 || to >= values.length) return
    onChange(values.with(from, values[to]!).with(to, values[from]!))
    if (input !== undefined) focus(to, input)
  }
  const add = (name: CslName) => {
    onChange([...values, name])
    focus(values.length)
  }
  return (
    <fieldset className={styles.group}>
      <legend>
        {label}
        {aside}
      </legend>
      <div ref={list} className="grid gap-2">
        {values.map((name, at) => {
          const shown = displayName(name).trim() || `${one} ${at + 1}`
          return (
            <div
              key={at}
              role="group"
              aria-label={`${at + 1}. ${shown}`}
              className="grid grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_5rem_auto] items-center gap-2 max-md:grid-cols-2 max-md:border-b max-md:border-border max-md:pb-2"
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
                event.preventDefault()
                const inputs = [...event.currentTarget.querySelectorAll('input')]
                const input = inputs.findIndex((element) => element === event.target)
                move(at, event.key === 'ArrowUp' ? at - 1 : at + 1, Math.max(input, 0))
              }}
            >
              <NameInputs name={name} onChange={(next) => put(at, next)} onSplit={() => focus(at)} />
              <span className={styles.nameButtons}>
                <IconButton label={`Move ${shown} up`} disabled={at === 0} onClick={() => move(at, at - 1)}>
                  <ArrowUp aria-hidden />
                </IconButton>
                <IconButton
                  label={`Move ${shown} down`}
                  disabled={at === values.length - 1}
                  onClick={() => move(at, at + 1)}
                >
                  <ArrowDown aria-hidden />
                </IconButton>
                <IconButton
                  label={`Remove ${shown}`}
                  onClick={() => {
                    onChange(values.toSpliced(at, 1))
                    focus(at)
                  }}
                >
                  <X aria-hidden />
                </IconButton>
              </span>
            </div>
          )
        })}
      </div>
      {error ? <FieldError role="alert">{error}</FieldError> : null}
      <div className={styles.buttons}>
        <Button size="sm" onClick={() => add({ family: '' })}>
          <Plus aria-hidden />
          Add {one}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => add({ literal: '' })}>
          Add organization
        </Button>
        <Button size="sm" variant="ghost" aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
          Paste a list of names
        </Button>
      </div>
      {pasting ? (
        <PasteNames
          onClose={() => setPasting(false)}
          onAdd={(names) => {
            onChange([...values, ...names])
            setPasting(false)
            focus(values.length)
          }}
        />
      ) : null}
    </fieldset>
  )
}
