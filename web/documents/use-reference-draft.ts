import { type RefObject, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { cslDate, cslName } from '#shared/contract/references.ts'
import { useSession } from '#web/auth/index.ts'
import { readDraft, removeDraft, storeDraft } from '#web/lib/drafts.ts'
import type { ReferenceValues } from './reference-values.ts'

const date = z.object({ year: z.string(), month: z.string(), day: z.string(), stored: cslDate.optional() })
const draft = z.object({
  edits: z.record(z.string(), z.union([z.string(), z.array(cslName), date])),
  version: z.number(),
})

/**
 * Stores the edits of the reference form as a draft when the form closes without an action of the user, for example at the end
 * of the session. When the same user opens the form again, it restores the draft. A draft is not kept after a save. Returns
 * `restored`, which is true while the form shows a draft, and `discard`, which deletes the draft and the edits.
 */
export function useReferenceDraft(
  documentId: string,
  form: {
    edits: Partial<ReferenceValues>
    setEdits: (edits: Partial<ReferenceValues>) => void
    /** True while an edit differs from the stored value. */
    isDirty: boolean
    /** The version of the document that the user has seen. */
    seen: RefObject<number>
    /** True after a save, and after the user discarded the edits. */
    isGivenUp: () => boolean
  },
): { restored: boolean; discard: () => void } {
  const { session } = useSession()
  const [userId] = useState(session?.user.id)
  const [restored, setRestored] = useState(false)
  const id = `${documentId}.reference`
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  useEffect(() => {
    if (userId === undefined) return
    const { data } = draft.safeParse(readDraft(userId, id))
    if (data) {
      latest.current.setEdits(data.edits)
      latest.current.seen.current = data.version
      setRestored(true)
    }
    return () => {
      const { edits, isDirty, seen, isGivenUp } = latest.current
      if (!isDirty || isGivenUp()) return removeDraft(userId, id)
      storeDraft(userId, id, { edits, version: seen.current } satisfies z.input<typeof draft>)
    }
  }, [id, userId])
  return {
    restored,
    discard: () => {
      if (userId !== undefined) removeDraft(userId, id)
      form.setEdits({})
      setRestored(false)
    },
  }
}
