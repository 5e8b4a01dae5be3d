import { type ReactNode, Suspense, useRef, useState } from 'react'
import { ApiError } from './api.ts'
import type { ChangedField } from './changed-fields.tsx'
import { lazyPart } from './lazy-part.ts'

// Loaded on first use: few edits conflict with the edit of another member.
const ChangedFields = lazyPart(() => import('./changed-fields.tsx').then((file) => file.ChangedFields))

interface Asked {
  fields: readonly ChangedField[]
  answer: (taken: ReadonlySet<string> | null) => void
}

/**
 * A save of form values. `before`: the values when the user began to edit; `mine`: the edited values. `version`: the version of
 * the row when the user began to edit.
 */
interface Save<Values, Result> {
  before: Values
  mine: Values
  version: number
  /** Sends the fields of `mine` that differ from `before`. */
  send: (change: { before: Values; mine: Values; version: number }) => Promise<Result>
  /** Returns the form values and the version of `current`, the row in a 409 response with the code 'changed'. */
  read: (current: unknown) => { values: Values; version: number }
}

/**
 * Returns `save`, which saves a form of a row that other members can edit at the same time, and `dialog`, an element to render.
 * If another member has changed a field that the user did not change, that member's value stays. If both changed the same field
 * to different values, the dialog asks the user which value to store. `save` resolves with null if the user cancels the dialog,
 * or if a previous call has not ended (a double click).
 *
 * `labels`: the labels of all fields that `save` can send. A conflict of another field rejects with the error of the API.
 * `text`: returns a value as text. `path`: returns the name of a field in API errors.
 */
export function useSaveTogether<Values extends object>(
  labels: Readonly<Record<keyof Values & string, string>>,
  {
    text = textOf,
    path = (name) => name,
  }: {
    text?: (value: Values[keyof Values & string], name: keyof Values & string) => string
    path?: (name: keyof Values & string) => string
  } = {},
): { dialog: ReactNode; save: <Result>(save: Save<Values, Result>) => Promise<Result | null> } {
  const [asked, setAsked] = useState<Asked | null>(null)
  const isSaving = useRef(false)
  const names = Object.keys(labels) as (keyof Values & string)[]
  const choose = (fields: readonly ChangedField[]) =>
    new Promise<ReadonlySet<string> | null>((resolve) => {
      const answer = (taken: ReadonlySet<string> | null) => {
        setAsked(null)
        resolve(taken)
      }
      setAsked({ fields, answer })
    })
  const sendUntilTaken = async <Result,>({ send, read, ...begun }: Save<Values, Result>): Promise<Result | null> => {
    let now = begun
    for (;;)
      try {
        return await send(now)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'changed') throw error
        // A conflict about which the dialog cannot ask is not overwritten.
        const known = new Set(names.map(path))
        if (Object.keys(error.fields).some((name) => !known.has(name))) throw error
        const { before, mine } = now
        const { values: theirs, version } = read(error.current)
        const own = names.filter((name) => !isSame(before[name], mine[name]))
        const both = own.filter((name) => error.fields[path(name)] !== undefined && !isSame(mine[name], theirs[name]))
        const shown = both.map((name) => ({
          name,
          label: labels[name],
          mine: text(mine[name], name),
          theirs: text(theirs[name], name),
        }))
        const taken = shown.length === 0 ? new Set<string>() : await choose(shown)
        if (!taken) return null
        const kept = own.filter((name) => !taken.has(name)).map((name) => [name, mine[name]])
        const merged = { ...theirs, ...(Object.fromEntries(kept) as Partial<typeof theirs>) }
        now = { before: theirs, mine: merged, version }
      }
  }
  return {
    dialog: asked ? (
      <Suspense>
        <ChangedFields fields={asked.fields} onAnswer={asked.answer} />
      </Suspense>
    ) : null,
    save: async (save) => {
      if (isSaving.current) return null
      isSaving.current = true
      return sendUntilTaken(save).finally(() => {
        isSaving.current = false
      })
    },
  }
}

/** Returns the values of `now` that differ from `before`. */
export const changedValues = <Values extends object>(before: Values, now: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isSame(value, before[name as keyof Values])),
  ) as Partial<Values>

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns a value as text: 'On' or 'Off', the items of a list, or the text itself. */
export function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
