import { type RefObject, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { editableField } from '#shared/contract/documents.ts'
import { useSession } from '#web/auth/index.ts'
import { readDraft, removeDraft, storeDraft } from '#web/lib/drafts.ts'
import { DISCARD_EDITS } from '#web/lib/use-seen-version.ts'
import { changedNames, EDIT_NAMES, editValues, type EditValues } from './edit-values.ts'
import type { Chosen } from '#web/lookup/index.ts'

const chosen = z.object({
  fields: z.partialRecord(editableField, z.union([z.string(), z.array(z.string()), z.null()])),
  reference: z.record(z.string(), z.unknown()).default({}),
  semantic_paperid: z.string().nullable(),
  retracted: z.boolean(),
})
const draft = z.object({ values: editValues.partial(), chosen: chosen.nullable(), version: z.number().optional() })

/**
 * Stores the changed fields of the edit form as a draft when the form closes without an action of the user, for example when
 * the session ends or another member moves the document. When the same user opens the form again, it restores the draft.
 * Returns `restored`, which is true while the form shows a draft, and two functions: `remove` deletes the draft (call it after
 * a save), and `discard` also resets the form.
 */
export function useDraft(
  documentId: string,
  form: UseFormReturn<EditValues>,
  {
    stored,
    found,
    setFound,
    seen,
    isGivenUp,
  }: {
    stored: EditValues
    found: Chosen | null
    setFound: (found: Chosen | null) => void
    /** The version of the document that the user has seen. */
    seen: RefObject<number>
    /** True after a save, and after the user discarded the changes. */
    isGivenUp: () => boolean
  },
): { restored: boolean; discard: () => void; remove: () => void } {
  const { session } = useSession()
  const [userId] = useState(session?.user.id)
  const [restored, setRestored] = useState(false)
  const latest = useRef({ stored, found, restore: setFound, isGivenUp })
  useEffect(() => {
    latest.current = { stored, found, restore: setFound, isGivenUp }
  })
  useEffect(() => {
    if (userId === undefined) return
    const { data } = draft.safeParse(readDraft(userId, documentId))
    if (data) {
      for (const name of EDIT_NAMES)
        if (data.values[name] !== undefined)
          form.setValue(name, data.values[name], { shouldDirty: true, shouldValidate: true })
      latest.current.found = data.chosen as Chosen | null
      latest.current.restore(latest.current.found)
      seen.current = data.version ?? seen.current
      setRestored(true)
    }
    return () => {
      const now = form.getValues()
      const { stored, found, isGivenUp } = latest.current
      const changed = changedNames(stored, now)
      const isChanged = changed.length > 0 || Object.keys(found?.reference ?? {}).length > 0
      if (!isChanged || isGivenUp()) return removeDraft(userId, documentId)
      const values = Object.fromEntries(changed.map((name) => [name, now[name]]))
      const left: z.input<typeof draft> = { values, chosen: found, version: seen.current }
      storeDraft(userId, documentId, left)
    }
  }, [form, seen, userId, documentId])
  const remove = () => {
    if (userId !== undefined) removeDraft(userId, documentId)
  }
  return {
    restored,
    remove,
    discard: () => {
      remove()
      form.reset(stored, DISCARD_EDITS)
      setFound(null)
      setRestored(false)
    },
  }
}
