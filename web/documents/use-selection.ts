import { useState } from 'react'
import type { DocumentRow } from '#shared/contract/documents.ts'

/**
 * Returns the selected documents of all pages of the list, and functions to change the selection. `shown` are the rows of the
 * visible page. A selected document that is not on this page has the values that it had when it was selected.
 */
export function useSelection(shown: readonly DocumentRow[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, DocumentRow>>(new Map())
  const isShown = (id: string) => shown.some((row) => row.id === id)
  return {
    /** Number of selected documents that the page does not show, because of another page, filter or search. */
    hidden: [...chosen.keys()].filter((id) => !isShown(id)).length,
    rows: [...chosen.values()].map((row) => shown.find(({ id }) => id === row.id) ?? row),
    ids: new Set(chosen.keys()),
    change: (rows: readonly DocumentRow[], selected: boolean) =>
      setChosen((before) => {
        const next = new Map(before)
        for (const row of rows) {
          if (selected) next.set(row.id, row)
          else next.delete(row.id)
        }
        return next
      }),
    clear: () => setChosen(new Map()),
  }
}
